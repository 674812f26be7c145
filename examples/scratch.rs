//! scratch
use hattrick::geometry::separation;
use hattrick::model::Model;
use hattrick::scene::Scene;
use hattrick::simulation::*;
use std::fmt::Write;
fn noise(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}
fn energy(tr: &Trajectory, t: f64) -> f64 {
    let w = tr.world();
    tr.at(t)
        .iter()
        .zip(&w.bodies)
        .filter(|(_, b)| !b.fixed)
        .map(|(s, b)| s.kinetic_energy(&b.mass) - b.mass.mass * w.gravity.dot(&s.position))
        .sum()
}
thread_local! { static WORST: std::cell::Cell<(usize,usize)> = const { std::cell::Cell::new((0,0)) }; }
fn penetration(tr: &Trajectory, t: f64) -> f64 {
    let st = tr.at(t);
    let w = tr.world();
    let mut worst = 0.0f64;
    for i in 0..st.len() {
        for j in 0..i {
            let (a, b) = (&w.bodies[i], &w.bodies[j]);
            if a.fixed && b.fixed {
                continue;
            }
            let (pi, pj) = (st[i].pose(), st[j].pose());
            if a.solid.reach().is_finite()
                && b.solid.reach().is_finite()
                && (pi.position - pj.position).norm() > a.solid.reach() + b.solid.reach()
            {
                continue;
            }
            let g = separation(&a.solid, &pi, &b.solid, &pj, None).gap;
            if g < worst {
                worst = g;
                WORST.with(|w| w.set((i, j)));
            }
        }
    }
    worst
}
fn args_window() -> Option<(f64, f64)> {
    let a: Vec<String> = std::env::args().collect();
    let k = a.iter().position(|x| x == "-w")?;
    Some((a[k + 1].parse().ok()?, a[k + 2].parse().ok()?))
}
fn report(name: &str, text: &str, verbose: bool) {
    let scene = match Scene::parse(text, "x.toml") {
        Ok(s) => s,
        Err(e) => {
            println!("{name}: {e}");
            return;
        }
    };
    let model = Model::new(&scene).unwrap();
    let start = std::time::Instant::now();
    let tr = simulate(&model, &model.control());
    let time = start.elapsed().as_secs_f64();
    let mut pen = 0.0f64;
    let mut gain = 0.0f64;
    let n = 4000;
    let mut last = energy(&tr, 0.0);
    let e0 = last.abs();
    for k in 0..=n {
        let t = tr.t_end * k as f64 / n as f64;
        let p = penetration(&tr, t);
        if p < pen && verbose && p < -2e-6 {
            println!("   pen {p:.2e} at {t:.6} {:?}", WORST.with(|w| w.get()));
        }
        pen = pen.min(p);
        let e = energy(&tr, t);
        gain = gain.max(e - last);
        last = e;
    }
    let kinetic: f64 = tr
        .at(tr.t_end)
        .iter()
        .zip(&tr.world().bodies)
        .filter(|(_, b)| !b.fixed)
        .map(|(s, b)| s.kinetic_energy(&b.mass))
        .sum();
    let rest = tr.events.iter().filter(|e| e.kind == EventKind::Rest).map(|e| e.t).fold(0.0, f64::max);
    let imp = tr.events.iter().filter(|e| matches!(e.kind, EventKind::Impact | EventKind::Strike)).count();
    println!(
        "{name}: end {:?} t_end {:.3} rest {rest:.3} impacts {imp} pen {pen:.1e} gain {:.1e} kin {kinetic:.1e} {:.1} ms work {:?}",
        tr.end,
        tr.t_end,
        gain / e0.max(1e-9),
        time * 1e3,
        tr.work
    );
    if verbose {
        for ph in tr.phases(hattrick::model::BodyId(1)).iter().filter(|p| p.t > 0.975 && p.t < 0.9965) {
            match &ph.course {
                Course::Step(p) => println!(
                    "step t {:.6} len {:.3e} v {:?} w {:?} a {:?} al {:?} corr {:?}",
                    p.t,
                    p.length,
                    p.start.velocity.data.0[0],
                    p.start.spin.data.0[0],
                    p.acceleration.data.0[0],
                    p.spin_rate.data.0[0],
                    p.correction[0].data.0[0]
                ),
                Course::Flight(q) => {
                    println!("flight t {:.6} v {:?} w {:?}", ph.t, q.velocity.data.0[0], q.spin.data.0[0])
                }
                Course::Rest(_) => println!("rest {}", ph.t),
            }
        }
    }
    for (k, b) in tr.world().bodies.iter().enumerate() {
        let ph = tr.phases(hattrick::model::BodyId(k as u32));
        for w in ph.windows(2) {
            if w[1].t > w[0].t {
                let before = tr.body_at(hattrick::model::BodyId(k as u32), w[1].t - 1e-13);
                let d = (before.position - w[1].start().position).norm();
                let a = before.rotation.angle_to(&w[1].start().rotation);
                if d > 1e-8 || a > 1e-7 {
                    println!(
                        "JUMP {} at {:.9} by {d:.2e} {a:.2e} from {}",
                        b.name,
                        w[1].t,
                        match &w[0].course {
                            Course::Step(p) => format!("step {:.3e}", p.length),
                            Course::Flight(_) => "flight".into(),
                            Course::Rest(_) => "rest".into(),
                        }
                    );
                }
            } else {
                let d = (w[0].start().position - w[1].start().position).norm();
                if d > 1e-8 {
                    println!("JUMP0 {} at {:.9} by {d:.2e}", b.name, w[1].t);
                }
            }
        }
    }
    if let Some(w) = args_window() {
        for (k, b) in tr.world().bodies.iter().enumerate() {
            for ph in tr.phases(hattrick::model::BodyId(k as u32)).iter().filter(|p| p.t > w.0 && p.t < w.1) {
                match &ph.course {
                    Course::Step(p) => println!(
                        "{} step t {:.9} len {:.3e} v {:.5?} w {:.5?} a {:.3?} al {:.3?} corr {:.2e} {:.2e}",
                        b.name,
                        p.t,
                        p.length,
                        p.start.velocity.data.0[0],
                        p.start.spin.data.0[0],
                        p.acceleration.data.0[0],
                        p.spin_rate.data.0[0],
                        p.correction[0].norm(),
                        p.correction[1].norm()
                    ),
                    Course::Flight(q) => println!(
                        "{} flight t {:.9} v {:.5?} w {:.5?}",
                        b.name, ph.t, q.velocity.data.0[0], q.spin.data.0[0]
                    ),
                    Course::Rest(_) => println!("{} rest {}", b.name, ph.t),
                }
            }
        }
        for k in 0..=100 {
            let t = w.0 + (w.1 - w.0) * k as f64 / 100.0;
            let p = penetration(&tr, t);
            if p < -1e-6 {
                println!("  pen {t:.7} {p:.2e} {:?}", WORST.with(|w| w.get()));
            }
        }
    }
    if verbose {
        for e in &tr.events {
            println!(
                "  {:.9} {} {}-{} #{} n={} |p|={:.3e} {:?}",
                e.t,
                e.kind.as_str(),
                tr.world().bodies[e.first.index()].name,
                tr.world().bodies[e.second.index()].name,
                e.number,
                e.contacts.len(),
                e.contacts.iter().map(|c| c.impulse.norm()).sum::<f64>(),
                e.contacts.iter().map(|c| c.feature).take(1).collect::<Vec<_>>()
            );
        }
    }
}
const FLOOR: &str = "format = 1\nduration = DUR\n[[body]]\nname = \"floor\"\nfixed = true\nshape = { kind = \"half_space\", normal = [0, 1, 0] }\nfriction = MU\nrestitution = EE\n";
fn floor(dur: f64, mu: f64, e: f64) -> String {
    FLOOR.replace("DUR", &format!("{dur:?}")).replace("MU", &format!("{mu:?}")).replace("EE", &format!("{e:?}"))
}
fn cuboid(name: &str, h: [f64; 3], p: [f64; 3], r: [f64; 3], v: [f64; 3], w: [f64; 3], mu: f64, e: f64) -> String {
    format!(
        "[[body]]\nname = \"{name}\"\nshape = {{ kind = \"cuboid\", half_extents = {h:?} }}\nposition = {p:?}\nrotation = {r:?}\nvelocity = {v:?}\nspin = {w:?}\nfriction = {mu:?}\nrestitution = {e:?}\n"
    )
}
fn throw(seed: u64) -> String {
    let mut n = noise(seed);
    let mut s = floor(6.0, 0.5, 0.5);
    let h = [0.1 + 0.05 * n(), 0.1 + 0.05 * n(), 0.1 + 0.05 * n()];
    s += &cuboid(
        "box",
        h,
        [0.0, 0.6, 0.0],
        [3.0 * n(), 3.0 * n(), 3.0 * n()],
        [2.0 * n(), 2.0 * n(), 2.0 * n()],
        [10.0 * n(), 10.0 * n(), 10.0 * n()],
        0.5 + 0.4 * n(),
        0.4 + 0.4 * n(),
    );
    s
}
fn stack(n: usize, dur: f64, thrown: Option<u64>) -> String {
    let mut s = floor(dur, 0.5, 0.3);
    for k in 0..n {
        s += &cuboid(
            &format!("b{k}"),
            [0.1, 0.05, 0.1],
            [0.013 * (k % 2) as f64, 0.05 + 0.1 * k as f64, 0.013 * ((k / 2) % 2) as f64],
            [0.0, 0.2 * k as f64, 0.0],
            [0.0; 3],
            [0.0; 3],
            0.5,
            0.3,
        );
    }
    if let Some(seed) = thrown {
        let mut r = noise(seed + 77);
        s += &cuboid(
            "hit",
            [0.08, 0.06, 0.05],
            [-1.0, 0.35 + 0.2 * r(), 0.05 * r()],
            [r(), r(), r()],
            [4.0 + r(), 1.5 + 0.5 * r(), 0.3 * r()],
            [3.0 * r(), 3.0 * r(), 3.0 * r()],
            0.5,
            0.3,
        );
    }
    s
}
fn pile(n: usize, seed: u64) -> String {
    let mut r = noise(seed + 999);
    let mut s = floor(6.0, 0.5, 0.3);
    for k in 0..n {
        s += &cuboid(
            &format!("b{k}"),
            [0.1 + 0.04 * r(), 0.1 + 0.04 * r(), 0.1 + 0.04 * r()],
            [0.12 * r(), 0.3 + 0.35 * k as f64, 0.12 * r()],
            [3.0 * r(), 3.0 * r(), 3.0 * r()],
            [0.0; 3],
            [2.0 * r(), 2.0 * r(), 2.0 * r()],
            0.5,
            0.3,
        );
    }
    s
}
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let num = |k: usize, d: u64| args.get(k).and_then(|a| a.parse().ok()).unwrap_or(d);
    let verbose = args.iter().any(|a| a == "-v");
    match args.get(1).map(String::as_str) {
        Some("throw") => {
            for k in num(2, 0)..num(3, 10) {
                report(&format!("throw {k}"), &throw(k), verbose);
            }
        }
        Some("stack") => report("stack", &stack(num(2, 5) as usize, num(3, 3) as f64, None), verbose),
        Some("hit") => {
            for k in num(2, 0)..num(3, 5) {
                report(&format!("hit {k}"), &stack(5, 6.0, Some(k)), verbose);
            }
        }
        Some("pile") => {
            for k in num(2, 0)..num(3, 3) {
                report(&format!("pile {k}"), &pile(num(4, 5) as usize, k), verbose);
            }
        }
        Some(file) => report(file, &std::fs::read_to_string(file).unwrap(), verbose),
        None => {}
    }
    let mut _s = String::new();
    let _ = write!(_s, "");
}
