// Bodies, ground, lines and shadows of the 3D view. Colours come in gamma-encoded, are lit in linear light, and leave
// encoded, since egui's surface takes them so.

struct Uniforms {
    clip_from_world: mat4x4f,
    light_from_world: mat4x4f,
    eye: vec4f,          // w: distance of the nearest thing that is drawn
    to_light: vec4f,     // w: how dark a shadow is
    size: vec4f,         // of the picture in pixels; z: pixels per point; w: side of a shadow texel in light space
    sky_high: vec4f,
    sky_low: vec4f,
    forward: vec4f,      // w: tangent of half the view
    up: vec4f,
    right: vec4f,        // w: aspect
};

@group(0) @binding(0) var<uniform> view: Uniforms;
@group(0) @binding(1) var shadow_map: texture_depth_2d;
@group(0) @binding(2) var shadow_sampler: sampler_comparison;

fn decoded(color: vec3f) -> vec3f { return pow(color, vec3f(2.2)); }
fn encoded(color: vec3f) -> vec3f { return pow(max(color, vec3f(0.0)), vec3f(1.0 / 2.2)); }

// 1 in the light, 0 in shadow; nine bilinear taps make the border soft.
fn light_at(position: vec3f, normal: vec3f) -> f32 {
    let moved = position + normal * view.size.w * 2.5;
    let place = view.light_from_world * vec4f(moved, 1.0);
    let uv = vec2f(0.5 + 0.5 * place.x, 0.5 - 0.5 * place.y);
    let texel = 1.0 / f32(textureDimensions(shadow_map).x);
    var sum = 0.0;
    for (var i = -1; i <= 1; i++) {
        for (var j = -1; j <= 1; j++) {
            let offset = vec2f(f32(i), f32(j)) * texel * 1.6;
            sum += textureSampleCompareLevel(shadow_map, shadow_sampler, uv + offset, place.z);
        }
    }
    let inside = all(abs(place.xy) < vec2f(0.995)) && place.z < 1.0;
    return select(1.0, sum / 9.0, inside);
}

struct Body {
    @builtin(position) clip: vec4f,
    @location(0) position: vec3f,
    @location(1) normal: vec3f,
    @location(2) color: vec4f,
    @location(3) extra: vec4f,
};

struct Instance {
    @location(2) m0: vec4f,
    @location(3) m1: vec4f,
    @location(4) m2: vec4f,
    @location(5) m3: vec4f,
    @location(6) color: vec4f,
    @location(7) extra: vec4f,   // x: highlight
};

@vertex fn body_vertex(@location(0) position: vec3f, @location(1) normal: vec3f, instance: Instance) -> Body {
    let turn = mat4x4f(instance.m0, instance.m1, instance.m2, instance.m3);
    let world = turn * vec4f(position, 1.0);
    var out: Body;
    out.clip = view.clip_from_world * world;
    out.position = world.xyz;
    out.normal = (turn * vec4f(normal, 0.0)).xyz;
    out.color = instance.color;
    out.extra = instance.extra;
    return out;
}

@vertex fn shadow_vertex(@location(0) position: vec3f, @location(1) normal: vec3f, instance: Instance) -> @builtin(position) vec4f {
    let turn = mat4x4f(instance.m0, instance.m1, instance.m2, instance.m3);
    return view.light_from_world * (turn * vec4f(position, 1.0));
}

fn lit(color: vec3f, position: vec3f, n: vec3f, light: f32, highlight: f32) -> vec3f {
    let to_eye = normalize(view.eye.xyz - position);
    let key = max(dot(n, view.to_light.xyz), 0.0) * light;
    let fill = 0.5 + 0.5 * dot(n, normalize(vec3f(-0.5, 0.3, -0.6)));
    let sky = 0.5 + 0.5 * n.y;
    let base = decoded(color);
    let half_way = normalize(view.to_light.xyz + to_eye);
    let shine = pow(max(dot(n, half_way), 0.0), 48.0) * 0.22 * light;
    let rim = pow(1.0 - max(dot(n, to_eye), 0.0), 3.0);
    let ambient = mix(vec3f(0.30, 0.28, 0.26), vec3f(0.42, 0.46, 0.52), sky) + 0.10 * fill;
    return base * (ambient + vec3f(0.92, 0.88, 0.80) * key) + shine + rim * (0.05 + 0.35 * highlight) * mix(vec3f(1.0), base, 0.4);
}

@fragment fn body_fragment(in: Body, @builtin(front_facing) front: bool) -> @location(0) vec4f {
    let n = normalize(in.normal) * select(-1.0, 1.0, front);
    return vec4f(encoded(lit(in.color.rgb, in.position, n, light_at(in.position, n), in.extra.x)), 1.0);
}

// A ghost is a shell: clear where one looks straight at it, denser toward its outline.
@fragment fn ghost_fragment(in: Body, @builtin(front_facing) front: bool) -> @location(0) vec4f {
    let n = normalize(in.normal) * select(-1.0, 1.0, front);
    let edge = 1.0 - abs(dot(n, normalize(view.eye.xyz - in.position)));
    let alpha = in.color.a * (0.35 + 0.65 * edge);
    return vec4f(in.color.rgb * alpha, alpha);
}

struct Plane {
    @builtin(position) clip: vec4f,
    @location(0) position: vec3f,
    @location(1) at: vec2f,
    @location(2) normal: vec3f,
    @location(3) fill: vec4f,
    @location(4) line: vec4f,
    @location(5) sizes: vec2f,
};

@vertex fn plane_vertex(
    @builtin(vertex_index) index: u32,
    @location(0) origin: vec4f,    // w: side of a cell
    @location(1) first: vec4f,     // w: how far it is drawn
    @location(2) second: vec4f,
    @location(3) fill: vec4f,
    @location(4) line: vec4f,
) -> Plane {
    let corner = vec2f(select(-1.0, 1.0, index == 1u || index == 2u || index == 4u), select(-1.0, 1.0, index >= 2u && index != 3u));
    let at = corner * first.w;
    var out: Plane;
    out.position = origin.xyz + first.xyz * at.x + second.xyz * at.y;
    out.clip = view.clip_from_world * vec4f(out.position, 1.0);
    out.at = at;
    out.normal = cross(second.xyz, first.xyz);
    out.fill = fill;
    out.line = line;
    out.sizes = vec2f(origin.w, first.w);
    return out;
}

// How much of a pixel the lines of a grid cover.
fn grid_cover(at: vec2f, width: f32) -> f32 {
    let pixel = fwidth(at);
    let away = abs(fract(at - 0.5) - 0.5);
    let cover = clamp((width * pixel - away) / pixel + 0.5, vec2f(0.0), vec2f(1.0));
    // Lines closer than a few pixels would shimmer; they fade into an even tone.
    let calm = clamp(1.0 - pixel * 3.0, vec2f(0.0), vec2f(1.0));
    return max(cover.x * calm.x, cover.y * calm.y);
}

// A plane that is filled lies in the world and shows shadows; without a fill it is only lines.
@fragment fn plane_fragment(in: Plane) -> @location(0) vec4f {
    let fade = smoothstep(1.0, 0.25, length(in.at) / in.sizes.y);
    let fine = grid_cover(in.at / in.sizes.x, 0.6);
    let coarse = grid_cover(in.at / (5.0 * in.sizes.x), 0.8);
    let cover = max(0.45 * fine, 0.9 * coarse) * in.line.a;
    let n = normalize(in.normal);
    let light = mix(1.0, light_at(in.position, n), view.to_light.w);
    let color = decoded(mix(in.fill.rgb, in.line.rgb, cover)) * mix(0.42, 1.0, light);
    let alpha = max(in.fill.a, cover) * fade;
    return vec4f(encoded(color) * alpha, alpha);
}

struct Line {
    @builtin(position) clip: vec4f,
    @location(0) color: vec4f,
    @location(1) @interpolate(linear) at: vec2f,        // pixels along and across, from the first end
    @location(2) @interpolate(flat) shape: vec3f,  // length, half width, hidden factor
};

@vertex fn line_vertex(
    @builtin(vertex_index) index: u32,
    @location(0) first: vec4f,    // w: width in points; negative has round ends
    @location(1) second: vec4f,   // w: how much is seen where it is hidden
    @location(2) color: vec4f,
) -> Line {
    var a = view.clip_from_world * vec4f(first.xyz, 1.0);
    var b = view.clip_from_world * vec4f(second.xyz, 1.0);
    var out: Line;
    out.color = color;
    let near = view.eye.w;
    if (a.w < near && b.w < near) { out.clip = vec4f(0.0, 0.0, 2.0, 1.0); return out; }
    if (a.w < near) { a = mix(a, b, (near - a.w) / (b.w - a.w)); }
    if (b.w < near) { b = mix(b, a, (near - b.w) / (a.w - b.w)); }
    let pa = a.xy / a.w * view.size.xy * 0.5;
    let pb = b.xy / b.w * view.size.xy * 0.5;
    let length_in_pixels = length(pb - pa);
    let along = select(vec2f(1.0, 0.0), (pb - pa) / length_in_pixels, length_in_pixels > 1e-4);
    let across = vec2f(-along.y, along.x);
    let half_width = 0.5 * abs(first.w) * view.size.z;
    let cap = select(0.0, half_width + 1.0, first.w < 0.0);
    let at_end = index == 1u || index == 2u || index == 4u;
    let side = select(-1.0, 1.0, index >= 2u && index != 3u);
    let end = select(a, b, at_end);
    let shift = along * select(-cap, cap, at_end) + across * side * (half_width + 1.0);
    // A little nearer than it is, so that a line on a surface is not swallowed.
    out.clip = vec4f(end.xy + shift / (view.size.xy * 0.5) * end.w, end.z - 0.0004 * end.w, end.w);
    out.at = vec2f(select(-cap, length_in_pixels + cap, at_end), side * (half_width + 1.0));
    out.shape = vec3f(length_in_pixels, half_width, second.w);
    return out;
}

fn line_cover(in: Line) -> f32 {
    let beyond = max(max(-in.at.x, in.at.x - in.shape.x), 0.0);
    return clamp(in.shape.y - length(vec2f(beyond, in.at.y)) + 0.5, 0.0, 1.0);
}

@fragment fn line_fragment(in: Line) -> @location(0) vec4f {
    let alpha = in.color.a * line_cover(in);
    return vec4f(in.color.rgb * alpha, alpha);
}

@fragment fn hidden_line_fragment(in: Line) -> @location(0) vec4f {
    let alpha = in.color.a * line_cover(in) * in.shape.z;
    return vec4f(in.color.rgb * alpha, alpha);
}

struct Sky {
    @builtin(position) clip: vec4f,
    @location(0) at: vec2f,
};

@vertex fn sky_vertex(@builtin(vertex_index) index: u32) -> Sky {
    let uv = vec2f(f32((index << 1u) & 2u), f32(index & 2u));
    var out: Sky;
    out.at = uv * 2.0 - 1.0;
    out.clip = vec4f(out.at, 1.0, 1.0);
    return out;
}

@fragment fn sky_fragment(in: Sky) -> @location(0) vec4f {
    let ray = normalize(view.forward.xyz + (view.right.xyz * in.at.x * view.right.w + view.up.xyz * in.at.y) * view.forward.w);
    let height = smoothstep(-0.25, 0.75, ray.y);
    return vec4f(mix(view.sky_low.rgb, view.sky_high.rgb, height), 1.0);
}
