//! The fixed part of drawing: shaders, vertex layouts, blending and depth rules.

use eframe::egui_wgpu::wgpu;

/// Samples of a pixel, which smooth edges.
pub const SAMPLES: u32 = 4;
/// How depths are kept.
pub const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// One pipeline for each kind of thing.
pub struct Pipelines {
    pub shadow: wgpu::RenderPipeline,
    pub sky: wgpu::RenderPipeline,
    pub body: wgpu::RenderPipeline,
    pub ground: wgpu::RenderPipeline,
    pub ghost: wgpu::RenderPipeline,
    pub line: wgpu::RenderPipeline,
    pub hidden_line: wgpu::RenderPipeline,
    pub blit: wgpu::RenderPipeline,
    shared: wgpu::BindGroupLayout,
    shadow_shared: wgpu::BindGroupLayout,
    shown: wgpu::BindGroupLayout,
    compare: wgpu::Sampler,
}

/// How a pipeline differs from the others of the 3D view.
struct Rule<'a> {
    vertex: &'a str,
    fragment: &'a str,
    buffers: &'a [Option<wgpu::VertexBufferLayout<'a>>],
    writes_depth: bool,
    depth: wgpu::CompareFunction,
    blends: bool,
}

/// What the pipelines of the 3D view share.
struct Workshop<'a> {
    device: &'a wgpu::Device,
    module: wgpu::ShaderModule,
    layout: wgpu::PipelineLayout,
    format: wgpu::TextureFormat,
}

const VERTEX: wgpu::VertexBufferLayout = wgpu::VertexBufferLayout {
    array_stride: 24,
    step_mode: wgpu::VertexStepMode::Vertex,
    attributes: &wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3],
};
const INSTANCE: wgpu::VertexBufferLayout = wgpu::VertexBufferLayout {
    array_stride: 96,
    step_mode: wgpu::VertexStepMode::Instance,
    attributes: &wgpu::vertex_attr_array![
        2 => Float32x4, 3 => Float32x4, 4 => Float32x4, 5 => Float32x4, 6 => Float32x4, 7 => Float32x4
    ],
};
const SEGMENT: wgpu::VertexBufferLayout = wgpu::VertexBufferLayout {
    array_stride: 48,
    step_mode: wgpu::VertexStepMode::Instance,
    attributes: &wgpu::vertex_attr_array![0 => Float32x4, 1 => Float32x4, 2 => Float32x4],
};
const GROUND: wgpu::VertexBufferLayout = wgpu::VertexBufferLayout {
    array_stride: 80,
    step_mode: wgpu::VertexStepMode::Instance,
    attributes: &wgpu::vertex_attr_array![
        0 => Float32x4, 1 => Float32x4, 2 => Float32x4, 3 => Float32x4, 4 => Float32x4
    ],
};

impl Workshop<'_> {
    fn make(&self, rule: Rule) -> wgpu::RenderPipeline {
        let blend = rule.blends.then_some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING);
        let target = wgpu::ColorTargetState { format: self.format, blend, write_mask: wgpu::ColorWrites::ALL };
        self.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(rule.fragment),
            layout: Some(&self.layout),
            vertex: wgpu::VertexState {
                module: &self.module,
                entry_point: Some(rule.vertex),
                compilation_options: Default::default(),
                buffers: rule.buffers,
            },
            primitive: Default::default(),
            depth_stencil: Some(depth_state(rule.writes_depth, rule.depth, 0)),
            multisample: wgpu::MultisampleState { count: SAMPLES, ..Default::default() },
            fragment: Some(wgpu::FragmentState {
                module: &self.module,
                entry_point: Some(rule.fragment),
                compilation_options: Default::default(),
                targets: &[Some(target)],
            }),
            multiview_mask: None,
            cache: None,
        })
    }

    fn make_shadow(&self, layout: &wgpu::PipelineLayout) -> wgpu::RenderPipeline {
        self.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("shadow"),
            layout: Some(layout),
            vertex: wgpu::VertexState {
                module: &self.module,
                entry_point: Some("shadow_vertex"),
                compilation_options: Default::default(),
                buffers: &[Some(VERTEX), Some(INSTANCE)],
            },
            primitive: Default::default(),
            depth_stencil: Some(depth_state(true, wgpu::CompareFunction::Less, 2)),
            multisample: Default::default(),
            fragment: None,
            multiview_mask: None,
            cache: None,
        })
    }
}

impl Pipelines {
    pub fn new(device: &wgpu::Device, format: wgpu::TextureFormat) -> Pipelines {
        let module = |text: &'static str| {
            let source = wgpu::ShaderSource::Wgsl(text.into());
            device.create_shader_module(wgpu::ShaderModuleDescriptor { label: None, source })
        };
        let shared = group_layout(device, &[uniform(0), shadow_texture(1), comparison(2)]);
        let shadow_shared = group_layout(device, &[uniform(0)]);
        let shown = group_layout(device, &[picture(0), filtering(1)]);
        let layout = pipeline_layout(device, &shared);
        let workshop = Workshop { device, module: module(include_str!("scene.wgsl")), layout, format };
        let blit = make_blit(device, &module(include_str!("blit.wgsl")), &pipeline_layout(device, &shown), format);
        let bodies: &[_] = &[Some(VERTEX), Some(INSTANCE)];
        let rule = |vertex, fragment, buffers, writes_depth, depth, blends| {
            workshop.make(Rule { vertex, fragment, buffers, writes_depth, depth, blends })
        };
        use wgpu::CompareFunction::{Always, Greater, LessEqual};
        Pipelines {
            shadow: workshop.make_shadow(&pipeline_layout(device, &shadow_shared)),
            sky: rule("sky_vertex", "sky_fragment", &[], false, Always, false),
            body: rule("body_vertex", "body_fragment", bodies, true, LessEqual, false),
            ground: rule("plane_vertex", "plane_fragment", &[Some(GROUND)], true, LessEqual, true),
            ghost: rule("body_vertex", "ghost_fragment", bodies, false, LessEqual, true),
            line: rule("line_vertex", "line_fragment", &[Some(SEGMENT)], false, LessEqual, true),
            hidden_line: rule("line_vertex", "hidden_line_fragment", &[Some(SEGMENT)], false, Greater, true),
            blit,
            shared,
            shadow_shared,
            shown,
            compare: device.create_sampler(&wgpu::SamplerDescriptor {
                mag_filter: wgpu::FilterMode::Linear,
                min_filter: wgpu::FilterMode::Linear,
                compare: Some(wgpu::CompareFunction::LessEqual),
                ..Default::default()
            }),
        }
    }

    /// What every pipeline of the picture reads.
    pub fn share(&self, device: &wgpu::Device, uniforms: &wgpu::Buffer, shadow: &wgpu::TextureView) -> wgpu::BindGroup {
        let entry = |binding, resource| wgpu::BindGroupEntry { binding, resource };
        let entries = [
            entry(0, uniforms.as_entire_binding()),
            entry(1, wgpu::BindingResource::TextureView(shadow)),
            entry(2, wgpu::BindingResource::Sampler(&self.compare)),
        ];
        device.create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout: &self.shared, entries: &entries })
    }

    /// The same without the shadow map, while that is drawn.
    pub fn share_for_shadow(&self, device: &wgpu::Device, uniforms: &wgpu::Buffer) -> wgpu::BindGroup {
        let entries = [wgpu::BindGroupEntry { binding: 0, resource: uniforms.as_entire_binding() }];
        let layout = &self.shadow_shared;
        device.create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout, entries: &entries })
    }

    /// The finished picture, for egui's pass.
    pub fn show(&self, device: &wgpu::Device, color: &wgpu::TextureView, sampler: &wgpu::Sampler) -> wgpu::BindGroup {
        let entries = [
            wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::TextureView(color) },
            wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::Sampler(sampler) },
        ];
        device.create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout: &self.shown, entries: &entries })
    }
}

fn make_blit(
    device: &wgpu::Device,
    module: &wgpu::ShaderModule,
    layout: &wgpu::PipelineLayout,
    format: wgpu::TextureFormat,
) -> wgpu::RenderPipeline {
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("blit"),
        layout: Some(layout),
        vertex: wgpu::VertexState {
            module,
            entry_point: Some("blit_vertex"),
            compilation_options: Default::default(),
            buffers: &[],
        },
        primitive: Default::default(),
        depth_stencil: None,
        multisample: Default::default(),
        fragment: Some(wgpu::FragmentState {
            module,
            entry_point: Some("blit_fragment"),
            compilation_options: Default::default(),
            targets: &[Some(format.into())],
        }),
        multiview_mask: None,
        cache: None,
    })
}

fn depth_state(writes: bool, compare: wgpu::CompareFunction, bias: i32) -> wgpu::DepthStencilState {
    wgpu::DepthStencilState {
        format: DEPTH,
        depth_write_enabled: Some(writes),
        depth_compare: Some(compare),
        stencil: Default::default(),
        bias: wgpu::DepthBiasState { constant: bias, slope_scale: bias as f32, clamp: 0.0 },
    }
}

fn pipeline_layout(device: &wgpu::Device, group: &wgpu::BindGroupLayout) -> wgpu::PipelineLayout {
    device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: None,
        bind_group_layouts: &[Some(group)],
        immediate_size: 0,
    })
}

fn group_layout(device: &wgpu::Device, entries: &[wgpu::BindGroupLayoutEntry]) -> wgpu::BindGroupLayout {
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: None, entries })
}

fn entry(binding: u32, ty: wgpu::BindingType) -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry { binding, visibility: wgpu::ShaderStages::VERTEX_FRAGMENT, ty, count: None }
}

fn uniform(binding: u32) -> wgpu::BindGroupLayoutEntry {
    let ty = wgpu::BufferBindingType::Uniform;
    entry(binding, wgpu::BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None })
}

fn sampled(binding: u32, sample_type: wgpu::TextureSampleType) -> wgpu::BindGroupLayoutEntry {
    let view_dimension = wgpu::TextureViewDimension::D2;
    entry(binding, wgpu::BindingType::Texture { sample_type, view_dimension, multisampled: false })
}

fn shadow_texture(binding: u32) -> wgpu::BindGroupLayoutEntry {
    sampled(binding, wgpu::TextureSampleType::Depth)
}

fn picture(binding: u32) -> wgpu::BindGroupLayoutEntry {
    sampled(binding, wgpu::TextureSampleType::Float { filterable: true })
}

fn comparison(binding: u32) -> wgpu::BindGroupLayoutEntry {
    entry(binding, wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Comparison))
}

fn filtering(binding: u32) -> wgpu::BindGroupLayoutEntry {
    entry(binding, wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering))
}
