mod apply;
mod carried;
mod inbox;
mod joined;
mod propose;
mod rebase;
mod review;
mod rules;
