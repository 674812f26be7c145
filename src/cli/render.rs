//! `hattrick render`: pictures of a motion as PNG files.
//!
//! One picture of the whole motion, one instant (`--at`), a numbered sequence (`--frames`), or a sheet of many scenes
//! (`--sheet`). What is drawn and how is `picture`.

use std::path::{Path, PathBuf};

use super::progress::Progress;
use super::simulate::{check_times, reached};
use super::{Failure, Outside, number, open};
use crate::math::Vec3;
use crate::picture::{Aim, Camera, Image, LARGEST, PictureError, SMALLEST, Studio, Theme, View, nail_marks, sheet};
use crate::simulation::simulate;

/// Frames of one sequence, at most: an hour at 60 a second.
const MOST_FRAMES: f64 = 216_000.0;
/// A picture of a sheet, where no size is given.
const CELL: Size = Size { width: 640, height: 400 };
/// Degrees; beyond, up and down would trade places.
const STEEPEST: f64 = 89.0;
/// Metres from the eye to what it looks at; nearer, there is no direction to look in.
const NEAREST: f64 = 1e-9;

/// Make a picture of a motion, without a window
#[derive(Debug, clap::Args)]
#[command(override_usage = "hattrick render SCENE OUT.png [OPTIONS]\n       \
    hattrick render SCENE --frames DIR [OPTIONS]\n       \
    hattrick render SCENE... OUT.png --sheet [OPTIONS]")]
pub(super) struct Arguments {
    /// Scene file, or several for a sheet; and the picture to write, ending in .png
    #[arg(required = true, value_name = "SCENE OUT.png")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    outside: Outside,
    /// Direction to look from, in degrees, and distance in metres: AZIMUTH,ELEVATION[,DISTANCE]. Azimuth 0 looks against
    /// +z, 90 against +x [default: chosen from the motion]
    #[arg(long, value_name = "AZ,EL[,M]", value_parser = angles, allow_hyphen_values = true)]
    camera: Option<Aim>,
    /// Place to look from, in metres; with --target
    #[arg(long, value_name = "X,Y,Z", value_parser = place, requires = "target", conflicts_with = "camera", allow_hyphen_values = true)]
    eye: Option<Vec3>,
    /// Place to look at, in metres; with --eye
    #[arg(long, value_name = "X,Y,Z", value_parser = place, requires = "eye", allow_hyphen_values = true)]
    target: Option<Vec3>,
    /// Pixels [default: 1600x1000; 640x400 for frames and for each picture of a sheet]
    #[arg(long, value_name = "WxH", value_parser = size)]
    size: Option<Size>,
    /// Show one instant instead of the whole motion, in seconds
    #[arg(long, value_name = "T", value_parser = number, allow_negative_numbers = true)]
    at: Option<f64>,
    /// Write a numbered sequence of pictures into this folder
    #[arg(long, value_name = "DIR", conflicts_with_all = ["at", "sheet"])]
    frames: Option<PathBuf>,
    /// Pictures for each second of motion
    #[arg(long, value_name = "N", default_value_t = 30.0, requires = "frames", value_parser = number, allow_negative_numbers = true)]
    fps: f64,
    /// Colours
    #[arg(long, value_enum, default_value_t)]
    theme: ThemeName,
    /// Leave title, names and time away
    #[arg(long)]
    no_caption: bool,
    /// Put the pictures of several scenes onto one sheet
    #[arg(long)]
    sheet: bool,
    /// Pictures side by side on a sheet
    #[arg(long, value_name = "N", default_value_t = 3, requires = "sheet", value_parser = clap::value_parser!(u32).range(1..=50))]
    columns: u32,
}

#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
enum ThemeName {
    #[default]
    Light,
    Dark,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Size {
    pub width: u32,
    pub height: u32,
}

pub(super) fn run(arguments: &Arguments) -> Result<String, Failure> {
    check_places(arguments)?;
    if let Some(folder) = &arguments.frames {
        let [scene] = &arguments.files[..] else {
            return Err(Failure::usage("with --frames write one scene and no picture".to_owned()));
        };
        return write_frames(arguments, scene, folder);
    }
    let [scenes @ .., out] = &arguments.files[..] else { return Err(Failure::usage("write a scene".to_owned())) };
    match scenes {
        [] => Err(Failure::usage(format!("write where the picture goes: hattrick render {} OUT.png", out.display()))),
        [scene] if !arguments.sheet => write_one(arguments, scene, out),
        _ if arguments.sheet => write_sheet(arguments, scenes, out),
        _ => Err(Failure::usage("one picture shows one scene; --sheet puts several onto one".to_owned())),
    }
}

/// Refuses an eye that has nothing before it.
fn check_places(arguments: &Arguments) -> Result<(), Failure> {
    let same = |(eye, target): (Vec3, Vec3)| (target - eye).norm() <= NEAREST;
    if arguments.eye.zip(arguments.target).is_some_and(same) {
        return Err(Failure::usage("--eye and --target are one place; write two that are apart".to_owned()));
    }
    Ok(())
}

fn write_one(arguments: &Arguments, scene: &Path, out: &Path) -> Result<String, Failure> {
    check_out(out)?;
    let image = picture_of(arguments, scene, Size { width: 1600, height: 1000 })?;
    save(&image, out)
}

fn write_sheet(arguments: &Arguments, scenes: &[PathBuf], out: &Path) -> Result<String, Failure> {
    check_out(out)?;
    let bar = Progress::new(scenes.len() as u64, "scenes");
    let mut images = Vec::with_capacity(scenes.len());
    for scene in scenes {
        images.push(picture_of(arguments, scene, CELL)?);
        bar.step();
    }
    bar.finish();
    let sheet = sheet(&images, arguments.columns, theme(arguments)).map_err(|error| Failure::new(error.to_string()))?;
    save(&sheet, out)
}

/// The whole motion of a scene, or an instant of it.
fn picture_of(arguments: &Arguments, path: &Path, size: Size) -> Result<Image, Failure> {
    let (scene, model) = open(path, arguments.outside)?;
    check_times(arguments.at.as_slice(), scene.duration)?;
    let trajectory = simulate(&model, &model.control());
    reached(arguments.at.as_slice(), &trajectory)?;
    let view =
        View { nail_marks: nail_marks(&model, &trajectory, &scene.nails), ..view(arguments, &scene.title, size) };
    let studio = Studio::new(&trajectory, &view).map_err(|error| Failure::new(error.to_string()))?;
    Ok(arguments.at.map_or_else(|| studio.whole(), |t| studio.at(t)))
}

fn write_frames(arguments: &Arguments, path: &Path, folder: &Path) -> Result<String, Failure> {
    let (scene, model) = open(path, arguments.outside)?;
    let frames = frame_count(scene.duration, arguments.fps)?;
    let trajectory = simulate(&model, &model.control());
    let view =
        View { nail_marks: nail_marks(&model, &trajectory, &scene.nails), ..view(arguments, &scene.title, CELL) };
    let studio = Studio::new(&trajectory, &view).map_err(|error| Failure::new(error.to_string()))?;
    std::fs::create_dir_all(folder)
        .map_err(|error| Failure::new(format!("cannot make {}: {error}", folder.display())))?;
    let bar = Progress::new(u64::from(frames), "frames");
    let digits = frames.to_string().len().max(4);
    for frame in 0..frames {
        let image = studio.at(f64::from(frame) / arguments.fps);
        let file = folder.join(format!("frame_{frame:0digits$}.png"));
        image.save(&file).map_err(|error| Failure::new(error.to_string()))?;
        bar.step();
    }
    bar.finish();
    Ok(format!("{frames} frames in {}\n", folder.display()))
}

/// Frames from 0 to the end, both included where the end is on the beat.
fn frame_count(duration: f64, fps: f64) -> Result<u32, Failure> {
    let frames = (duration * fps + 1e-9).floor() + 1.0;
    if !(fps > 0.0 && frames <= MOST_FRAMES) {
        let most = ((MOST_FRAMES - 1.0) / duration).floor();
        return Err(Failure::usage(format!("--fps {fps} cannot be shown; write a number from above 0 to {most}")));
    }
    Ok(frames as u32)
}

fn view(arguments: &Arguments, title: &str, size: Size) -> View {
    let Size { width, height } = arguments.size.unwrap_or(size);
    let exactly = arguments.eye.zip(arguments.target);
    let aim = match exactly {
        Some((eye, target)) => Aim::Exactly(Camera::look_at(eye, target, Vec3::y())),
        None => arguments.camera.unwrap_or_default(),
    };
    let caption = !arguments.no_caption;
    View { width, height, theme: theme(arguments), aim, title: title.to_owned(), caption, ..View::default() }
}

fn theme(arguments: &Arguments) -> Theme {
    match arguments.theme {
        ThemeName::Light => Theme::Light,
        ThemeName::Dark => Theme::Dark,
    }
}

fn save(image: &Image, out: &Path) -> Result<String, Failure> {
    image.save(out).map_err(|error| Failure::new(error.to_string()))?;
    Ok(format!("{} ({}x{})\n", out.display(), image.width(), image.height()))
}

/// Refuses before the work is done what could not be written after it.
pub(super) fn check_out(out: &Path) -> Result<(), Failure> {
    let refused = |why: String| Err(Failure::new(format!("{}: {why}", out.display())));
    if !out.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("png")) {
        return refused("pictures are written as PNG; give the file a name that ends in .png".to_owned());
    }
    match out.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir()) {
        Some(folder) => refused(format!("cannot write there, there is no folder {}; make it first", folder.display())),
        None => Ok(()),
    }
}

/// Numbers between commas.
fn numbers(text: &str) -> Result<Vec<f64>, String> {
    text.split(',').map(number).collect()
}

fn angles(text: &str) -> Result<Aim, String> {
    let (azimuth, elevation, distance) = match numbers(text)?[..] {
        [azimuth, elevation] => (azimuth, elevation, None),
        [azimuth, elevation, distance] => (azimuth, elevation, Some(distance)),
        _ => return Err("write AZIMUTH,ELEVATION or AZIMUTH,ELEVATION,DISTANCE".to_owned()),
    };
    if elevation.abs() > STEEPEST {
        return Err(format!("an elevation of {elevation}° is too steep; write one from -{STEEPEST} to {STEEPEST}"));
    }
    if distance.is_some_and(|distance| distance <= 0.0) {
        return Err("the distance must be above 0".to_owned());
    }
    Ok(Aim::Angles { azimuth: azimuth.to_radians(), elevation: elevation.to_radians(), distance })
}

fn place(text: &str) -> Result<Vec3, String> {
    match numbers(text)?[..] {
        [x, y, z] => Ok(Vec3::new(x, y, z)),
        _ => Err("write three numbers: X,Y,Z".to_owned()),
    }
}

pub(super) fn size(text: &str) -> Result<Size, String> {
    let side = |word: &str| word.trim().parse::<u32>().ok();
    let sides = text.split_once(['x', 'X', '×']).and_then(|(width, height)| Some((side(width)?, side(height)?)));
    let (width, height) = sides.ok_or("write a size such as 1600x1000")?;
    if [width, height].iter().any(|side| !(SMALLEST..=LARGEST).contains(side)) {
        return Err(PictureError::Size { width, height, least: SMALLEST, most: LARGEST }.to_string());
    }
    Ok(Size { width, height })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_cameras_and_places_are_read_or_refused_with_advice() {
        assert_eq!(size("800x600"), Ok(Size { width: 800, height: 600 }));
        for wrong in ["800", "800x", "x600", "-1x5", "1e3x2", "99999999999x1"] {
            assert!(size(wrong).is_err_and(|advice| advice.contains("1600x1000")), "{wrong}");
        }
        for wrong in ["0x0", "15x600", "800x8193"] {
            assert!(size(wrong).is_err_and(|advice| advice.contains("16x16 to 8192x8192")), "{wrong}");
        }
        assert_eq!(place("1,-2, 3.5"), Ok(Vec3::new(1.0, -2.0, 3.5)));
        assert!(place("1,2").is_err() && place("1,2,nan").is_err() && place("1,2,inf").is_err());
        let Ok(Aim::Angles { azimuth, elevation, distance }) = angles("90,-30,2") else { panic!("not read") };
        assert!((azimuth - std::f64::consts::FRAC_PI_2).abs() < 1e-12 && elevation < 0.0 && distance == Some(2.0));
        for wrong in ["90", "a,b", "0,90", "0,10,0", "0,10,-1", "0,10,1,1", ""] {
            assert!(angles(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn frames_include_start_and_end() {
        assert_eq!(frame_count(2.0, 30.0).ok(), Some(61));
        assert_eq!(frame_count(0.1, 30.0).ok(), Some(4), "0.1·30 is 3 to round-off");
        for fps in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e9] {
            assert!(frame_count(2.0, fps).is_err(), "{fps}");
        }
    }

    #[test]
    fn only_png_files_in_folders_that_exist_are_written() {
        assert!(check_out(Path::new("a.png")).is_ok() && check_out(Path::new("a.PNG")).is_ok());
        for wrong in ["a.jpg", "a", ".png", "png", "no such folder/a.png"] {
            assert!(check_out(Path::new(wrong)).is_err(), "{wrong}");
        }
    }
}
