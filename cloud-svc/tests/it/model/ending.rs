//! The end of a history: everything is read, and then given back.

use shared_testing::histories::Command;

use super::{
    Cloud, agents, comments, drafts, feed, files, information, plan_reads, reads, tree::File, uploads, webhooks,
};

impl Cloud {
    pub fn ending_of(&self, phase: u32) -> Option<Vec<Command<Self>>> {
        match phase {
            0 => Some(self.reads()),
            1 => Some(self.gives_back()),
            // A trashed file may be in a trashed folder, and can be purged only when that is gone.
            2..8 => Some(self.purges()),
            8 => Some(vec![information::workspaces_of("ada", true)]),
            // What a killed process was sending is sent again after 45 seconds.
            9..80 => Some(self.looks_behind(phase == 9)),
            80 => Some(self.webhooks.iter().map(|webhook| webhooks::heard(self, webhook)).collect()),
            _ => None,
        }
    }

    fn reads(&self) -> Vec<Command<Self>> {
        let mut all = vec![information::workspaces_of("ada", false), plan_reads::all_receipts("ada")];
        for start in (0..=self.feed.len()).step_by(100) {
            let cursor = (start > 0).then(|| (format!("$xlast{}", start - 100), start));
            all.push(feed::read("ada", cursor, 100, format!("$xlast{start}")));
        }
        for file in self.files.iter().filter(|file| self.sees("ada", &file.id)) {
            let id = || file.id.clone();
            all.extend([
                reads::details_of("ada", id()),
                reads::versions_of("ada", id()),
                comments::list_of("ada", id()),
            ]);
            all.extend(file.versions.iter().map(|version| reads::version_of("ada", id(), version.id.clone())));
        }
        // What they are sent of the rest of the history is compared at its end.
        all.extend(self.webhooks.iter().map(|webhook| webhooks::got(webhook.who, webhook.id.clone())));
        let seen = self.plans.iter().filter(|plan| self.sees("ada", &plan.file));
        all.extend(seen.map(|plan| plan_reads::got("ada", plan.file.clone(), plan.id.clone())));
        all.extend(["ada", "bob", "ada_again", "robot", "limited"].map(drafts::listed));
        all
    }

    fn gives_back(&self) -> Vec<Command<Self>> {
        let drafts = self.drafts.iter().map(|draft| drafts::discarded(draft.who, draft.id.clone()));
        let mut all: Vec<_> = std::iter::once(agents::lifted("ada")).chain(drafts).collect();
        let pending = self.uploads.iter().filter(|upload| upload.state == "pending");
        all.extend(pending.map(|upload| uploads::cancelled(upload.who, upload.id.clone())));
        let top = self.files.iter().filter(|file| file.parent.is_none() && !file.is_trashed);
        all.extend(top.map(|file| {
            files::trashed("ada", file.id.clone(), file.etag().to_owned(), format!("end{}", &file.id[1..]))
        }));
        all
    }

    fn purges(&self) -> Vec<Command<Self>> {
        let seen = self.files.iter().filter(|file| file.is_trashed && self.sees("ada", &file.id));
        // A read tells the etag that the purge of its folder has given to a file.
        let purge = |file: &File| files::purged("ada", file.id.clone(), file.etag().to_owned());
        seen.flat_map(|file| [reads::details_of("ada", file.id.clone()), purge(file)]).collect()
    }
}
