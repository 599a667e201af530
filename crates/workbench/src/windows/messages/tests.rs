//! The list of messages, and the line that leads to it.

use crate::testing::Bench;

#[test]
fn a_cut_message_is_whole_in_the_list() {
    let mut bench = Bench::paper();
    let long =
        "a message of many words that no status line of eighty columns has room for, with its end: zebra";
    bench.app.update(crate::app::message::Message::Status(long.to_owned()));
    let screen = bench.screen(80, 24);
    let status = screen.lines().nth(22).unwrap();
    assert!(status.ends_with("… :messages shows all") && !status.contains("zebra"), "{status}");
    bench.keys("l");
    assert!(!bench.screen(80, 24).contains("shows all"), "the next key wipes the line");
    for keys in [":messages<Enter>", ":mess<Enter>"] {
        let screen = bench.keys(keys).screen(80, 24);
        assert!(screen.contains("· a message of many words") && screen.contains("zebra"), "{screen}");
        bench.keys("<Esc>");
    }
}

#[test]
fn a_long_message_list_says_its_position() {
    let mut bench = Bench::paper();
    for number in 0..40 {
        bench.app.update(crate::app::message::Message::Status(format!("message {number}")));
    }
    let screen = bench.keys(":messages<Enter>").screen(80, 24);
    assert!(screen.contains("lines 1 to 20 of 41, j and k scroll"), "{screen}");
    assert!(screen.contains("· message 39"), "{screen}");
    let screen = bench.keys("<PgDn><PgDn>").screen(80, 24);
    assert!(screen.contains("lines 21 to 40 of 41") && screen.contains("· message 0"), "{screen}");
}
