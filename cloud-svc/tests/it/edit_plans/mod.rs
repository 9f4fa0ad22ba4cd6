mod apply;
mod propose;
mod rebase;
mod review;
