//! The report in a real browser: on a telephone, on a desk and on paper, in light and dark mode.
//!
//! The tests need `chromedriver` and Chromium. If they are not installed, the tests print that they
//! skip, unless `PALMTOP_CHROMIUM=required`. `PALMTOP_AXE` may name axe-core's `axe.min.js`, whose
//! rules are then applied too. `PALMTOP_SHOTS` may name a folder for screenshots.
#![expect(clippy::print_stderr, reason = "says that it was skipped")]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::support::dice::Dice;
use crate::support::palmtop;
use serde_json::{Value, json};
use tempfile::TempDir;

/// A browser, driven by the `WebDriver` protocol over a socket.
struct Browser {
    driver: Child,
    port: u16,
    session: String,
    _profile: TempDir,
}

impl Browser {
    /// Starts a browser; `None` if it is not installed.
    fn start() -> Option<Self> {
        let driver =
            Command::new("chromedriver").arg("--port=0").stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let Ok(mut driver) = driver else { return None };
        let lines = BufReader::new(driver.stdout.take().unwrap());
        let port = lines.lines().map_while(Result::ok).find_map(|line| {
            line.strip_suffix('.')?.rsplit_once("started successfully on port ")?.1.parse().ok()
        });
        let profile = tempfile::tempdir().unwrap();
        let arguments = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            &format!("--user-data-dir={}", profile.path().display()),
        ];
        let capabilities = json!({ "capabilities": { "alwaysMatch": {
            "browserName": "chrome",
            "goog:chromeOptions": { "args": arguments },
            "goog:loggingPrefs": { "performance": "ALL", "browser": "ALL" },
        } } });
        let mut browser = Self { driver, port: port?, session: String::new(), _profile: profile };
        let begun = browser.post("/session", &capabilities);
        let Some(session) = begun["sessionId"].as_str() else {
            eprintln!("chromedriver has no browser: {begun}");
            return None;
        };
        session.clone_into(&mut browser.session);
        Some(browser)
    }

    fn post(&self, path: &str, body: &Value) -> Value {
        let mut answer: Value =
            serde_json::from_slice(&self.request("POST", path, &body.to_string()).unwrap()).unwrap();
        answer["value"].take()
    }

    /// Sends a request of the protocol and returns the body of the answer.
    fn request(&self, method: &str, path: &str, body: &str) -> std::io::Result<Vec<u8>> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        stream.set_read_timeout(Some(Duration::from_secs(60)))?;
        let length = body.len();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}",
            self.port
        );
        stream.write_all(request.as_bytes())?;
        let mut answer = BufReader::new(stream);
        let (mut line, mut length) = (String::new(), 0);
        while answer.read_line(&mut line)? > 2 {
            if let Some((name, value)) = line.split_once(':')
                && name.eq_ignore_ascii_case("content-length")
            {
                length = value.trim().parse().unwrap_or(0);
            }
            line.clear();
        }
        let mut body = vec![0; length];
        answer.read_exact(&mut body)?;
        Ok(body)
    }

    #[track_caller]
    fn ask(&self, what: &str, body: &Value) -> Value {
        let answer = self.post(&format!("/session/{}/{what}", self.session), body);
        assert!(answer.get("error").is_none(), "{what}: {answer}");
        answer
    }

    #[track_caller]
    fn devtools(&self, command: &str, parameters: &Value) -> Value {
        self.ask("goog/cdp/execute", &json!({ "cmd": command, "params": parameters }))
    }

    fn width(&self, width: u32) {
        let screen = json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false });
        self.devtools("Emulation.setDeviceMetricsOverride", &screen);
    }

    fn medium(&self, medium: &str, scheme: &str) {
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.devtools("Emulation.setEmulatedMedia", &json!({ "media": medium, "features": features }));
    }

    #[track_caller]
    fn run(&self, script: &str) -> Value {
        self.ask("execute/sync", &json!({ "script": script, "args": [] }))
    }

    fn shot(&self, name: &str) {
        let Some(folder) = std::env::var_os("PALMTOP_SHOTS") else { return };
        let shot = self.devtools("Page.captureScreenshot", &json!({ "captureBeyondViewport": true }));
        let path = Path::new(&folder).join(format!("{name}.png"));
        fs::write(path, decoded(shot["data"].as_str().unwrap())).unwrap();
    }

    /// The page as PDF, with its headings as the outline.
    fn pdf(&self, (width, height): (f64, f64)) -> Vec<u8> {
        let how = json!({
            "paperWidth": width, "paperHeight": height, "printBackground": true, "preferCSSPageSize": false,
            "generateTaggedPDF": true, "generateDocumentOutline": true,
        });
        decoded(self.devtools("Page.printToPDF", &how)["data"].as_str().unwrap())
    }

    /// The addresses that the page at `address` has requested since the last call.
    ///
    /// The browser's first tab also loads images, sometimes late. These requests do not count.
    fn requests(&self, address: &str) -> Vec<String> {
        let log = self.ask("se/log", &json!({ "type": "performance" }));
        let messages = log.as_array().unwrap().iter().map(|entry| {
            serde_json::from_str::<Value>(entry["message"].as_str().unwrap()).unwrap()["message"].take()
        });
        messages
            .filter(|message| message["method"] == "Network.requestWillBeSent")
            .filter(|message| message["params"]["documentURL"] == address)
            .map(|message| message["params"]["request"]["url"].as_str().unwrap().to_owned())
            .collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !self.session.is_empty() {
            // The browser ends with its session.
            let _ = self.request("DELETE", &format!("/session/{}", self.session), "");
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// Decodes Base64, the form in which the browser returns files.
fn decoded(text: &str) -> Vec<u8> {
    let value = |byte: u8| match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let mut bytes = Vec::new();
    for four in text.trim_end_matches('=').as_bytes().chunks(4) {
        let bits = four.iter().fold(0_u32, |bits, &byte| bits << 6 | u32::from(value(byte)));
        let missing = 4 - four.len();
        let bytes_of_bits = (bits << (6 * missing)).to_be_bytes();
        bytes.extend_from_slice(&bytes_of_bits[1..4 - missing]);
    }
    bytes
}

/// Reports of the clinic: one of a release in the history, one with a prior, and one of
/// a refused release.
fn reports(folder: &Path) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let project = root.join("sample-data/clinic/clinic.toml");
    let project = project.to_str().unwrap();
    let run = |status: i32, arguments: &[&str]| {
        let output =
            Command::new(env!("CARGO_BIN_EXE_palmtop")).args(arguments).current_dir(folder).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{arguments:?}\n{text}");
    };
    run(0, &["anonymize", project, "--strategy", "spalm", "-o", "clinic-release.csv", "--with", "report"]);
    run(
        0,
        &["report", project, "clinic-release.csv", "-o", "signer.html", "--prior", "7%", "--misuse", "7%"],
    );
    run(0, &["report", project, "clinic-release.csv", "-o", "recipient.html", "--for", "recipient"]);
    run(3, &["report", project, "clinic-release.csv", "-o", "refused.html", "--delta-max", "5%"]);
    // Names without a possible line break, longer than the width of a page.
    let long = "x".repeat(150);
    let paper = fs::read_to_string(root.join("sample-data/paper/paper.toml")).unwrap();
    let name = paper.lines().find(|line| line.starts_with("name = ")).unwrap();
    let columns = "public_column = \"nationality\"\nprivate_column = \"nationality\"";
    let paper = paper
        .replacen(name, &format!("name = \"{long}\""), 1)
        .replace("../../hierarchies", root.join("hierarchies").to_str().unwrap())
        .replace("name = \"nationality\"", &format!("name = \"{long}\"\n{columns}"));
    fs::write(folder.join("long.toml"), paper).unwrap();
    for file in ["public.csv", "private.csv", "nationality.toml"] {
        fs::copy(root.join("sample-data/paper").join(file), folder.join(file)).unwrap();
    }
    let release = format!("{long}.csv");
    run(0, &["anonymize", "long.toml", "--node", "3,2,2", "-o", &release]);
    run(0, &["report", "long.toml", &release, "-o", "long.html"]);
    ["signer.html", "recipient.html", "refused.html", "long.html"].map(|name| folder.join(name)).to_vec()
}

/// Recipient's reports: of the clinic, of a table of 20 columns, and of people with several rows.
fn recipients(folder: &Path) -> [PathBuf; 3] {
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
    let run = |arguments: &str| {
        palmtop(folder, arguments.split(' ')).expect(0, "");
    };
    let stated = "\n[report]\norganization = \"Chest clinic of the town\"\nresponsible = \"R. Berg, data protection\"\n\
                  period = \"2024\"\npublic = \"residents of the town\"\n";
    let tables = "[private]\npath = \"t.csv\"\n[public]\npath = \"p.csv\"\n[delta]\nmax = \"1/2\"\n";
    run("anonymize @clinic --strategy simulatable -o clinic/ --with recipient");
    // Eight quasi-identifiers, and twelve columns that only T has.
    let mut dice = Dice::new(20);
    let names: Vec<String> = (1..=20).map(|number| format!("attribute_{number:02}")).collect();
    let rows: Vec<Vec<String>> =
        (0..400).map(|_| names.iter().map(|_| (10 + dice.below(40)).to_string()).collect()).collect();
    let table = |columns: usize, take: usize| -> String {
        let lines =
            std::iter::once(&names).chain(rows.iter().take(take)).map(|row| row[..columns].join(",") + "\n");
        lines.collect()
    };
    write("p.csv", &table(8, 400));
    write("t.csv", &table(20, 100));
    write("n.toml", "type = \"interval\"\nwidths = [5, 10, 20]\n");
    let attribute = |(index, name): (usize, &String)| {
        let role =
            if index < 8 { "role = \"quasi\"\nhierarchy = \"n.toml\"" } else { "role = \"insensitive\"" };
        format!("[[attribute]]\nname = \"{name}\"\n{role}\n")
    };
    let attributes: String = names.iter().enumerate().map(attribute).collect();
    write("wide.toml", &format!("{tables}{attributes}{stated}"));
    run("anonymize wide.toml --strategy n2 -o wide/ --with recipient");
    // People with several rows.
    let visits = |people: usize, more: &str| -> String {
        let lines = (0..people).flat_map(|person| (0..=person % 3).map(move |visit| (person, visit)));
        let lines = lines.map(|(person, visit)| format!("{person},{}{more}", 20 + (person + visit) % 40));
        lines.collect::<Vec<_>>().join("\n") + "\n"
    };
    write("p.csv", &format!("user,age\n{}", visits(300, "")));
    write("t.csv", &format!("user,age,visit\n{}", visits(90, ",a")));
    let user = "[[attribute]]\nname = \"user\"\nrole = \"entity\"\n[[attribute]]\nname = \"visit\"\nrole = \"insensitive\"\n";
    let age = "[[attribute]]\nname = \"age\"\nrole = \"quasi\"\nhierarchy = \"n.toml\"\n";
    write("rows.toml", &format!("{tables}{user}{age}{stated}"));
    run("anonymize rows.toml --strategy spalm -o rows/ --with recipient");
    ["clinic", "wide", "rows"].map(|name| folder.join(format!("{name}/to-send/{name}.recipient.html")))
}

/// The greatest number of words of a recipient's report without its code list.
const WORDS: usize = 900;

#[test]
fn the_recipients_report_has_two_pages() {
    let folder = tempfile::tempdir().unwrap();
    let pages = recipients(folder.path());
    for page in &pages {
        let text = fs::read_to_string(page).unwrap();
        let body = text.split_once("<body>").unwrap().1.split_once("<div class=\"annex\">").unwrap().0;
        let parts = body.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text));
        let words = parts.flat_map(str::split_whitespace).count();
        assert!((300..=WORDS).contains(&words), "{}: {words} words", page.display());
    }
    let Some(browser) = browser() else { return };
    for page in &pages {
        let name = page.file_stem().unwrap().to_string_lossy().into_owned();
        browser.medium("print", "light");
        browser.ask("url", &json!({ "url": format!("file://{}", page.display()) }));
        browser.devtools("Emulation.clearDeviceMetricsOverride", &json!({}));
        let all = browser.pdf((8.27, 11.69));
        browser.run("document.querySelector('.annex').remove()");
        let pdf = browser.pdf((8.27, 11.69));
        if let Some(folder) = std::env::var_os("PALMTOP_SHOTS") {
            fs::write(Path::new(&folder).join(format!("{name}-two.pdf")), &pdf).unwrap();
            fs::write(Path::new(&folder).join(format!("{name}-all.pdf")), &all).unwrap();
        }
        let pages = String::from_utf8_lossy(&pdf).matches("/Type /Page\n").count();
        assert!((1..=2).contains(&pages), "{name}: {pages} pages without the code list");
    }
}

/// The elements beyond the right edge of the page, except those in a scrolling element.
const OVERFLOWING: &str = "const wide = document.documentElement.clientWidth; const out = [];
    if (document.documentElement.scrollWidth > wide) out.push('the page: ' + document.documentElement.scrollWidth);
    for (const own of document.body.querySelectorAll('*')) {
        const scroller = own.closest('.scroll'), box = own.getBoundingClientRect();
        if (scroller && scroller !== own) continue;
        if (box.right > wide + 0.5 || box.left < -0.5) out.push(own.tagName + ' ' + own.className + ': ' + box.right);
    }
    return out;";

/// The parts of a table that are cut off on paper, where scrolling is impossible.
const CUT: &str =
    "return [...document.querySelectorAll('.scroll')].filter(own => own.scrollWidth > own.clientWidth + 1)
    .map(own => own.getAttribute('aria-label') + ': ' + own.scrollWidth + ' of ' + own.clientWidth);";

/// Cells of tables that are partly off the screen. Every verdict has to be visible without
/// horizontal scrolling.
const OFF_SCREEN: &str = "const wide = document.documentElement.clientWidth;
    return [...document.querySelectorAll('td, tbody th, caption')].filter(own => own.getBoundingClientRect().right > wide + 0.5)
    .map(own => own.textContent.slice(0, 40) + ': ' + own.getBoundingClientRect().right);";

/// The text at the foot of each printed page.
const FOOT: &str = "return [...document.styleSheets].flatMap(sheet => [...sheet.cssRules])
    .filter(rule => rule instanceof CSSPageRule).map(rule => rule.cssText).join(' ');";

/// Accessibility errors: the rules of WCAG 2.1, A and AA, that apply to this page. The script
/// checks the contrast of every text with its background (1.4.3) and alternatives of drawings
/// (1.1.1). It checks headings without a gap, and tables with captions and scopes (1.3.1). It also
/// checks a language (3.1.1), a title (2.4.2), one main part, unique ids (4.1.1), and names of
/// focusable elements (4.1.2).
const FAULTS: &str = r"const faults = [];
    const luminance = ([r, g, b]) => { const part = c => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
        return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b); };
    const rgb = text => { const parts = text.match(/[\d.]+/g).map(Number); return parts.length > 3 && parts[3] === 0 ? null : parts; };
    const ground = own => { for (let at = own; at; at = at.parentElement) { const found = rgb(getComputedStyle(at).backgroundColor); if (found) return found; }
        return matchMedia('(prefers-color-scheme: dark)').matches ? [18, 18, 18] : [255, 255, 255]; };
    let texts = 0;
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const own = walker.currentNode.parentElement;
        if (!walker.currentNode.data.trim() || own.closest('style, title, desc')) continue;
        const style = getComputedStyle(own), inSvg = own.namespaceURI.endsWith('svg');
        const front = rgb(inSvg ? style.fill : style.color), back = ground(own);
        const [a, b] = [luminance(front), luminance(back)].sort((x, y) => y - x);
        texts += 1;
        if ((a + 0.05) / (b + 0.05) < 4.5) faults.push('contrast ' + ((a + 0.05) / (b + 0.05)).toFixed(2) + ': ' + walker.currentNode.data.trim());
    }
    if (texts < 20) faults.push('only ' + texts + ' texts');
    if (document.documentElement.lang !== 'en') faults.push('lang');
    if (!document.title) faults.push('title');
    for (const part of ['main', 'h1']) if (document.querySelectorAll(part).length !== 1) faults.push('not one ' + part);
    let before = 0;
    for (const heading of document.querySelectorAll('h1,h2,h3,h4')) { const level = +heading.tagName[1];
        if (level > before + 1) faults.push('gap before ' + heading.textContent); before = level; }
    for (const table of document.querySelectorAll('table')) {
        if (!table.caption || !table.caption.textContent.trim()) faults.push('table without caption');
        for (const head of table.querySelectorAll('th')) if (!['col', 'row'].includes(head.scope)) faults.push('th without scope');
        for (const row of table.querySelectorAll('tr')) if (row.cells.length !== table.rows[0].cells.length) faults.push('uneven ' + (table.caption ? table.caption.textContent : ''));
    }
    for (const drawing of document.querySelectorAll('svg')) { const named = (drawing.getAttribute('aria-labelledby') || '').split(' ');
        if (drawing.getAttribute('role') !== 'img' || !named.every(id => document.getElementById(id)?.textContent.trim())) faults.push('svg without alternative'); }
    const ids = [...document.querySelectorAll('[id]')].map(own => own.id);
    if (new Set(ids).size !== ids.length) faults.push('ids twice');
    for (const region of document.querySelectorAll('[role=region], section')) {
        const name = region.getAttribute('aria-label') || document.getElementById(region.getAttribute('aria-labelledby'))?.textContent;
        if (!name) faults.push('region without name'); }
    for (const scroller of document.querySelectorAll('.scroll')) if (scroller.tabIndex !== 0) faults.push('scrolls by mouse alone');
    for (const own of document.querySelectorAll('script, link, img, iframe, a, object, embed, [onclick], [onload]')) faults.push('there is a ' + own.tagName);
    return faults;";

/// The violations that axe-core finds, with their elements.
const AXE: &str = "const done = arguments[arguments.length - 1];
    axe.run(document, { resultTypes: ['violations'] }).then(found => done(found.violations.map(own =>
        own.impact + ' ' + own.id + ': ' + own.nodes.map(node => node.html).slice(0, 3).join(' '))), error => done(['axe: ' + error]));";

fn none(what: &str, found: &Value) {
    assert_eq!(*found, json!([]), "{what}");
}

/// The texts of a PDF's outline, which are its headings. They are hexadecimal or in parentheses, in
/// UTF-16 or in ASCII.
fn outline(pdf: &[u8]) -> Vec<String> {
    let mut titles = Vec::new();
    let mut rest = pdf;
    while let Some(start) = rest.windows(7).position(|window| window == b"/Title ") {
        rest = &rest[start + 7..];
        let raw: Vec<u8> = if rest[0] == b'<' {
            let end = rest.iter().position(|&byte| byte == b'>').unwrap();
            let byte = |two: &[u8]| u8::from_str_radix(std::str::from_utf8(two).unwrap(), 16).unwrap();
            rest[1..end].chunks(2).map(byte).collect()
        } else {
            let end = rest.windows(2).position(|two| two[0] != b'\\' && two[1] == b')').unwrap();
            rest[1..=end].to_vec()
        };
        let text = raw.strip_prefix(&[0xfe, 0xff]).map_or_else(
            || String::from_utf8_lossy(&raw).into_owned(),
            |wide| {
                let units: Vec<u16> =
                    wide.chunks(2).map(|two| u16::from_be_bytes([two[0], two[1]])).collect();
                String::from_utf16_lossy(&units)
            },
        );
        titles.push(text);
    }
    titles
}

/// A browser. If it is not installed and not required, a message on stderr.
fn browser() -> Option<Browser> {
    let browser = Browser::start();
    if browser.is_none() {
        let required = std::env::var("PALMTOP_CHROMIUM").as_deref() == Ok("required");
        assert!(!required, "chromedriver and Chromium are required here, and not installed");
        eprintln!(
            "skipped: there is no chromedriver with a Chromium; install `chromium` and `chromium-driver`"
        );
    }
    browser
}

/// The rules of axe-core, if `PALMTOP_AXE` names them.
fn axe() -> Option<String> {
    std::env::var_os("PALMTOP_AXE").map(|path| fs::read_to_string(path).unwrap())
}

/// The checks detect a page with errors, so that a page without findings is evidence.
#[test]
fn a_page_with_faults_is_found_out() {
    let Some(browser) = browser() else { return };
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("faults.html");
    let bad = "<!DOCTYPE html><html><head></head><body style='background:#fff'><h1>One</h1><h3>Gap</h3>\
        <p style='color:#bbb'>pale</p><div style='width:900px'>wide</div><img src='gone.png'>\
        <div class='scroll' style='width:100px;overflow:auto'><div style='width:800px'>cut</div></div>\
        <table><tr><th>head</th></tr><tr><td>a</td><td>b</td></tr></table><svg><rect width='9' height='9'/></svg></body></html>";
    fs::write(&page, bad).unwrap();
    browser.width(360);
    let address = format!("file://{}", page.display());
    browser.ask("url", &json!({ "url": address }));
    let asked = browser.requests(&address);
    assert!(asked.iter().any(|url| url.ends_with("gone.png")), "{asked:?}");
    let text = browser.run(OVERFLOWING).to_string();
    assert!(text.contains("the page: ") && text.contains("DIV"), "{text}");
    assert_eq!(browser.run(CUT).as_array().unwrap().len(), 1);
    let faults = browser.run(FAULTS).to_string();
    let expected = [
        "contrast 1.9",
        "\"lang\"",
        "\"title\"",
        "not one main",
        "gap before Gap",
        "table without caption",
        "th without scope",
        "uneven",
        "svg without alternative",
        "scrolls by mouse alone",
        "there is a IMG",
    ];
    for fault in expected {
        assert!(faults.contains(fault), "{fault} is not in {faults}");
    }
    if let Some(axe) = axe() {
        browser.run(&axe);
        let found = browser.ask("execute/async", &json!({ "script": AXE, "args": [] })).to_string();
        for rule in ["color-contrast", "image-alt", "html-has-lang"] {
            assert!(found.contains(rule), "{rule} is not in {found}");
        }
    }
}

// holds: Pages are inert
#[test]
fn reports_are_readable_on_phone_desk_and_paper() {
    let Some(browser) = browser() else { return };
    let folder = tempfile::tempdir().unwrap();
    let axe = axe();
    for page in reports(folder.path()) {
        let name = page.file_stem().unwrap().to_string_lossy().into_owned();
        let address = format!("file://{}", page.display());
        browser.medium("screen", "light");
        browser.width(1200);
        browser.ask("url", &json!({ "url": address }));
        for (width, scheme) in [(1200, "light"), (360, "light"), (360, "dark"), (1200, "dark")] {
            browser.medium("screen", scheme);
            browser.width(width);
            let at = format!("{name} at {width}, {scheme}");
            none(&format!("{at} overflows"), &browser.run(OVERFLOWING));
            none(&format!("{at} has faults"), &browser.run(FAULTS));
            let dark = browser.run("return getComputedStyle(document.body).backgroundColor");
            assert_eq!(dark != json!("rgb(255, 255, 255)"), scheme == "dark", "{at}: {dark}");
            if width == 360 {
                none(&format!("{at} has cells off the screen"), &browser.run(OFF_SCREEN));
            }
            if let Some(axe) = &axe {
                browser.run(axe);
                let found = browser.ask("execute/async", &json!({ "script": AXE, "args": [] }));
                let serious = found.as_array().unwrap().iter().map(|finding| finding.as_str().unwrap());
                let serious: Vec<&str> = serious.filter(|finding| !finding.starts_with("minor")).collect();
                assert!(serious.is_empty(), "{at}: axe finds {serious:#?}");
            }
            browser.shot(&format!("{name}-{width}-{scheme}"));
        }
        let headings =
            browser.run("return [...document.querySelectorAll('h1,h2')].map(own => own.textContent)");
        let foot = browser.run(FOOT).as_str().unwrap().to_owned();
        let sha256 = browser.run(
            "return [...document.querySelectorAll('code')].map(own => own.textContent).find(text => /^[0-9a-f]{64}$/.test(text))",
        );
        for part in [sha256.as_str().unwrap(), "counter(page)", "counter(pages)"] {
            assert!(foot.contains(part), "{name}: {part} is not in {foot}");
        }
        // A4 and Letter in inches, minus the page margins of 15 mm on both sides.
        for (paper, size) in [("A4", (8.27, 11.69)), ("Letter", (8.5, 11.0))] {
            browser.medium("print", "light");
            let inner = if paper == "A4" { 680 } else { 702 };
            browser.width(inner);
            none(&format!("{name} is cut on {paper}"), &browser.run(CUT));
            none(&format!("{name} overflows on {paper}"), &browser.run(OVERFLOWING));
            none(&format!("{name} has faults on {paper}"), &browser.run(FAULTS));
            browser.shot(&format!("{name}-{paper}"));
            browser.devtools("Emulation.clearDeviceMetricsOverride", &json!({}));
            let pdf = browser.pdf(size);
            if let Some(folder) = std::env::var_os("PALMTOP_SHOTS") {
                fs::write(Path::new(&folder).join(format!("{name}-{paper}.pdf")), &pdf).unwrap();
            }
            assert!(pdf.starts_with(b"%PDF-") && pdf.trim_ascii_end().ends_with(b"%%EOF"), "{name} {paper}");
            let text = String::from_utf8_lossy(&pdf);
            let pages = text.matches("/Type /Page\n").count();
            assert!(pages >= 1, "{name} {paper}: {pages} pages");
            let titles = outline(&pdf);
            for heading in headings.as_array().unwrap() {
                let heading = heading.as_str().unwrap();
                assert!(
                    titles.iter().any(|title| title == heading),
                    "{name} {paper}: {heading} is not in {titles:?}"
                );
            }
        }
        // The page requests itself and no other address.
        assert_eq!(browser.requests(&address), [address], "{name}");
    }
}

/// The four pages fit on five sheets of A4, on tables of three kinds; the annex may have any length.
#[test]
fn four_pages_print_on_five_sheets() {
    let Some(browser) = browser() else { return };
    for written in crate::signer::samples() {
        browser.ask("url", &json!({ "url": format!("file://{}", written.path().display()) }));
        browser.medium("print", "light");
        browser.shot(&format!("{}-print", written.name));
        let count = |pdf: &[u8]| String::from_utf8_lossy(pdf).matches("/Type /Page\n").count();
        let all = count(&browser.pdf((8.27, 11.69)));
        browser.run("document.querySelector('.annex').remove(); document.querySelector('footer').remove();");
        let pdf = browser.pdf((8.27, 11.69));
        if let Some(folder) = std::env::var_os("PALMTOP_SHOTS") {
            fs::write(Path::new(&folder).join(format!("{}-pages.pdf", written.name)), &pdf).unwrap();
        }
        let pages = count(&pdf);
        assert!((4..=5).contains(&pages) && all > pages, "{}: {pages} of {all}", written.name);
    }
}

#[test]
fn base64_is_that_of_rfc_4648() {
    for (text, bytes) in [("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYmFy", "foobar")] {
        assert_eq!(decoded(text), bytes.as_bytes());
    }
}
