// Copies the finished picture into egui's pass, whose viewport is the 3D view's rectangle.

@group(0) @binding(0) var picture: texture_2d<f32>;
@group(0) @binding(1) var picture_sampler: sampler;

struct Corner {
    @builtin(position) clip: vec4f,
    @location(0) uv: vec2f,
};

@vertex fn blit_vertex(@builtin(vertex_index) index: u32) -> Corner {
    var out: Corner;
    out.uv = vec2f(f32((index << 1u) & 2u), f32(index & 2u));
    out.clip = vec4f(out.uv.x * 2.0 - 1.0, 1.0 - out.uv.y * 2.0, 0.0, 1.0);
    return out;
}

@fragment fn blit_fragment(in: Corner) -> @location(0) vec4f {
    return textureSample(picture, picture_sampler, in.uv);
}
