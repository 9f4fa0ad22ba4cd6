mod apply;
mod carried;
mod joined;
mod propose;
mod rebase;
mod review;
