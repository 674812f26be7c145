//! A motion is small: ten seconds of a hundred colliding bodies stay under 50 MB.
//!
//! Flight is kept as the states it starts from, not as samples, so that memory grows with events and with turns of
//! tumbling bodies, not with time.

use super::support::run;

const LIMIT: usize = 50_000_000;

#[test]
fn ten_seconds_of_a_hundred_bodies_stay_under_50_megabytes() {
    let mut text = "format = 1\nduration = 10.0\ngravity = [0.0, 0.0, 0.0]\nmax_events = 100000\n".to_owned();
    for (k, normal) in
        ["[1, 0, 0]", "[-1, 0, 0]", "[0, 1, 0]", "[0, -1, 0]", "[0, 0, 1]", "[0, 0, -1]"].iter().enumerate()
    {
        let side = ["[-3, 0, 0]", "[3, 0, 0]", "[0, -3, 0]", "[0, 3, 0]", "[0, 0, -3]", "[0, 0, 3]"][k];
        text += &format!(
            "[[body]]\nname = \"wall{k}\"\nfixed = true\nshape = {{ kind = \"half_space\", normal = {normal} }}\n\
             position = {side}\nrestitution = 1.0\nfriction = 0.0\n"
        );
    }
    for k in 0..100 {
        let (x, y, z) = (k % 5, (k / 5) % 5, k / 25);
        let shape = if k % 2 == 0 {
            "kind = \"ball\", radius = 0.2"
        } else {
            "kind = \"cuboid\", half_extents = [0.2, 0.15, 0.1]"
        };
        text += &format!(
            "[[body]]\nname = \"body{k}\"\nshape = {{ {shape} }}\nrestitution = 1.0\nfriction = 0.0\n\
             position = [{:?}, {:?}, {:?}]\nvelocity = [{}, {}, {}]\nspin = [{x}, {y}, 3]\n",
            f64::from(x) - 2.0,
            f64::from(y) - 2.0,
            f64::from(z) - 1.5,
            (k * 7) % 5 - 2,
            (k * 3) % 7 - 3,
            (k * 5) % 3 - 1
        );
    }
    let trajectory = run(&text);
    assert_eq!(trajectory.t_end, 10.0, "{}", trajectory.end);
    assert!(trajectory.events.len() > 500, "only {} events", trajectory.events.len());
    let bytes = trajectory.memory();
    assert!(bytes < LIMIT, "{bytes} bytes for {} events", trajectory.events.len());
}
