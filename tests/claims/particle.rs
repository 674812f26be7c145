//! A particle over a parabola: what a polygon does to the simulation function, and what free normals mend.
//!
//! After [Popović 2000, §5.1]: the exit angle of the first bounce as a function of entry angle and height. Over the smooth curve (128
//! edges) it changes smoothly; over four edges it jumps where the particle goes from one edge to the next, so that some
//! exits cannot be had; with the normal of the impact free it is continuous again, and the exits in the gap can be had with tilts of less
//! than half the angle between two edges.
//!
//! The maps are drawn side by side into `particle.png` of the tests' own folder, from above: entry angle to the right, height upwards,
//! exit angle as colour.

use std::path::Path;
use std::sync::Arc;

use hattrick::goal::Goal;
use hattrick::model::Model;
use hattrick::picture::Image;
use hattrick::scene::{Nail, Scene};
use hattrick::simulation::simulate;
use hattrick::solve::{Point, Settings, Verdict, Wishes, solve};

/// Entry: the particle flies down at this speed, m/s, and sideways from one bound to the other.
const DOWN: f64 = 1.5;
const SIDEWAYS: (f64, f64) = (-1.2, 2.4);
const HEIGHTS: (f64, f64) = (1.0, 1.5);
/// Entries and heights of a map.
const SIZE: (usize, usize) = (90, 60);
/// Neighbouring entries of a map exit within this of each other where the function is continuous, degrees: a map's step moves the exit by
/// about 2, the edges of the smooth curve differ by 1.4 and turn the exit by twice that.
const CONTINUOUS: f64 = 6.0;
/// Two of the four edges differ by this at least, and turn the exit by twice that.
const JUMP: f64 = 25.0;

/// A scene of the folder with the normal of its first impact and the sideways speed free.
fn model(scene: &str, more: &str) -> Arc<Model> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes").join(scene);
    let text = std::fs::read_to_string(path).expect("a scene");
    let locks = "[[control]]\nparameter = \"particle.velocity\"\nfree = false\n\
                 [[control]]\nparameter = \"particle.velocity.x\"\nfree = true\n";
    let scene = Scene::parse(&(text + locks + more), scene).unwrap_or_else(|error| panic!("{error}"));
    Arc::new(Model::new(&scene).unwrap_or_else(|errors| panic!("{errors}")).with_duration(0.8))
}

const FREE_NORMAL: &str = "[[control]]\nparameter = \"particle/parabola#1.normal\"\nfree = true\nweight = 100.0\n";

fn entry(model: &Model, sideways: f64, height: f64) -> hattrick::model::ControlVector {
    let mut u = model.control();
    let mut set = |name: &str, value: f64| model.set(&mut u, name, value).expect("a parameter");
    set("particle.velocity.x", sideways);
    set("particle.velocity.y", -DOWN);
    set("particle.position.y", height);
    u
}

/// The angle from straight up at which the particle leaves its first bounce, degrees; and where it bounced.
fn exit(model: &Model, u: &hattrick::model::ControlVector) -> (f64, f64) {
    let motion = simulate(model, u);
    let event = motion.events.first().expect("it bounces");
    let state = motion.body_at(model.body("particle").expect("a body"), event.t);
    (state.velocity.x.atan2(state.velocity.y).to_degrees(), state.position.x)
}

/// Exit angles by height and entry.
fn map(of: impl Fn(f64, f64) -> f64) -> Vec<Vec<f64>> {
    let at = |k: usize, count: usize, (low, high): (f64, f64)| low + (high - low) * k as f64 / (count - 1) as f64;
    let row = |j: usize| (0..SIZE.0).map(|i| of(at(i, SIZE.0, SIDEWAYS), at(j, SIZE.1, HEIGHTS))).collect();
    (0..SIZE.1).map(row).collect()
}

/// The largest difference between neighbours.
fn largest_jump(map: &[Vec<f64>]) -> f64 {
    let along = map.iter().flat_map(|row| row.windows(2).map(|pair| (pair[1] - pair[0]).abs()));
    let across = map.windows(2).flat_map(|rows| rows[0].iter().zip(&rows[1]).map(|(a, b)| (b - a).abs()));
    along.chain(across).fold(0.0, f64::max)
}

/// The tilt that turns an edge's normal into that of the curve y = 0.8·x² above it.
fn tilt_to_the_curve(x: f64) -> f64 {
    let left = (2.0 * x).floor() / 2.0;
    let edge = 0.8 * (left + left + 0.5);
    // T2 lies a quarter turn ahead of n, and n turns as the slope does.
    ((1.6 * x).atan() - edge.atan()).tan()
}

#[test]
fn the_gaps_of_a_polygon_close_where_its_normals_turn_with_the_curve() {
    let (smooth, polygon, free) =
        (model("parabola.toml", ""), model("particle.toml", ""), model("particle.toml", FREE_NORMAL));
    let smooth = map(|v, h| exit(&smooth, &entry(&smooth, v, h)).0);
    let edges = map(|v, h| exit(&polygon, &entry(&polygon, v, h)).0);
    let turned = map(|v, h| {
        let mut u = entry(&free, v, h);
        let (_, x) = exit(&free, &u);
        free.set(&mut u, "particle/parabola#1.normal.2", tilt_to_the_curve(x)).expect("a parameter");
        exit(&free, &u).0
    });
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    picture(&[&smooth, &edges, &turned]).save(folder.join("particle.png")).expect("a picture");
    let jumps = [&smooth, &edges, &turned].map(|map| largest_jump(map));
    println!(
        "largest jumps of the exit angle: smooth {:.2}°, edges {:.2}°, edges with free normals {:.2}°",
        jumps[0], jumps[1], jumps[2]
    );
    assert!(jumps[0] < CONTINUOUS && jumps[1] > JUMP && jumps[2] < CONTINUOUS, "{jumps:?}");
}

#[test]
fn an_exit_in_a_gap_is_met_with_a_small_tilt_and_not_without() {
    let (height, polygon) = (1.2, model("particle.toml", ""));
    let sweep = (0..2000).map(|k| SIDEWAYS.0 + (SIDEWAYS.1 - SIDEWAYS.0) * f64::from(k) / 2000.0);
    let mut exits: Vec<f64> = sweep.map(|v| exit(&polygon, &entry(&polygon, v, height)).0).collect();
    exits.sort_by(f64::total_cmp);
    let gap = exits.windows(2).max_by(|a, b| (a[1] - a[0]).total_cmp(&(b[1] - b[0]))).expect("many");
    println!("no entry leaves between {:.1}° and {:.1}°", gap[0], gap[1]);
    assert!(gap[1] - gap[0] > 5.0, "there is no gap: {gap:?}");
    for part in [0.2, 0.5, 0.8] {
        let wish = gap[0] + part * (gap[1] - gap[0]);
        let (met, _) = leave_at(&polygon, height, wish);
        assert!(!met, "{wish}° was met on an edge");
        let (met, tilt) = leave_at(&model("particle.toml", FREE_NORMAL), height, wish);
        println!("{wish:.1}° is met with a tilt of {tilt:.2}°");
        assert!(met && tilt < HALF_ANGLE, "{wish}°: met {met}, tilt {tilt}°");
    }
}

/// Half the angle between the two edges that meet in the middle, degrees: slopes of ±0.4.
const HALF_ANGLE: f64 = 21.81;

/// Whether the solver finds a motion that leaves at this angle, and the tilt it takes, degrees.
fn leave_at(model: &Arc<Model>, height: f64, degrees: f64) -> (bool, f64) {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let nail = |expression: String| -> Nail {
        let at = serde_json::json!({ "impact": "particle/parabola#1", "side": "after" });
        serde_json::from_value(serde_json::json!({ "at": at, "expression": expression })).expect("a nail")
    };
    let across = nail(format!("dot(velocity(particle), [{cos:?}, {:?}, 0]) = 0", -sin));
    let along = nail(format!("dot(velocity(particle), [{sin:?}, {cos:?}, 0]) >= 0.1"));
    let goals = Goal::of_nails(model, &[across, along]).unwrap_or_else(|errors| panic!("{errors}"));
    let wishes = Wishes { nails: &goals, drag: None };
    let start = Point::new(model, &entry(model, 0.3, height), wishes);
    let (end, report) = solve(start, wishes, &Settings::default(), &|_| true);
    let tilt = |name: &str| model.parameter(name).map_or(0.0, |id| end.u[id]);
    let tilt = tilt("particle/parabola#1.normal.1").hypot(tilt("particle/parabola#1.normal.2"));
    (report.verdict == Verdict::Met, tilt.atan().to_degrees())
}

/// Maps side by side, each entry a square.
fn picture(maps: &[&Vec<Vec<f64>>]) -> Image {
    let (square, margin) = (6, 12);
    let (wide, high) = (square * SIZE.0 as u32, square * SIZE.1 as u32);
    let mut image = Image::new(margin + maps.len() as u32 * (wide + margin), high + 2 * margin, [255, 255, 255]);
    for (k, map) in maps.iter().enumerate() {
        for (j, row) in map.iter().enumerate() {
            for (i, angle) in row.iter().enumerate() {
                let left = margin + k as u32 * (wide + margin) + square * i as u32;
                let top = margin + high - square * (j as u32 + 1);
                image.paste(&Image::new(square, square, colour(*angle)), left, top);
            }
        }
    }
    image
}

/// From blue (leaves to the left) over white (straight up) to orange.
fn colour(angle: f64) -> [u8; 3] {
    let part = (angle / 90.0).clamp(-1.0, 1.0);
    let fade = |strength: f64| (255.0 * (1.0 - strength * part.abs())) as u8;
    if part < 0.0 { [fade(0.95), fade(0.45), 255] } else { [255, fade(0.55), fade(0.95)] }
}
