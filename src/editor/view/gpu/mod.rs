//! Draws a [`Frame`] on the graphics card.
//!
//! ```text
//! prepare:  shadow map ──▶ sky, bodies, grounds, ghosts, lines ──▶ picture (multisampled, then resolved)
//! paint:    picture ──▶ egui's own pass
//! ```
//!
//! The picture has a depth buffer of its own, which egui's pass has not. Lines are drawn twice: where they are in
//! front, and dimmed where something hides them. What is in the picture is decided elsewhere (`viewport`).

pub mod frame;
mod pipelines;

use eframe::egui::PaintCallbackInfo;
use eframe::egui_wgpu::{self, wgpu};

use frame::{Drawn, Frame, Instance};
use pipelines::{DEPTH, Pipelines, SAMPLES};

/// Side of the shadow map, pixels.
pub const SHADOW_SIDE: u32 = 1536;

/// Everything that lives on the card between pictures.
pub struct Gpu {
    pipelines: Pipelines,
    format: wgpu::TextureFormat,
    uniforms: wgpu::Buffer,
    shared: wgpu::BindGroup,
    shadow_shared: wgpu::BindGroup,
    shadow: wgpu::TextureView,
    sampler: wgpu::Sampler,
    vertices: Room,
    indices: Room,
    instances: Room,
    segments: Room,
    grounds: Room,
    meshes: Option<u64>,
    target: Option<Target>,
}

/// The textures of one size of the view.
struct Target {
    size: [u32; 2],
    multisampled: wgpu::TextureView,
    color: wgpu::TextureView,
    depth: wgpu::TextureView,
    shown: wgpu::BindGroup,
}

/// A buffer that grows with what is put into it.
struct Room {
    buffer: wgpu::Buffer,
    usage: wgpu::BufferUsages,
}

/// Hands one picture to egui.
pub struct Callback(pub Frame);

impl Room {
    fn new(device: &wgpu::Device, usage: wgpu::BufferUsages) -> Room {
        let usage = usage | wgpu::BufferUsages::COPY_DST;
        Room { buffer: Room::buffer(device, usage, 1 << 14), usage }
    }

    fn buffer(device: &wgpu::Device, usage: wgpu::BufferUsages, size: u64) -> wgpu::Buffer {
        device.create_buffer(&wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false })
    }

    fn put(&mut self, device: &wgpu::Device, queue: &wgpu::Queue, bytes: &[u8]) {
        let needed = bytes.len() as u64;
        if needed > self.buffer.size() {
            self.buffer = Room::buffer(device, self.usage, needed.next_power_of_two());
        }
        if needed > 0 {
            queue.write_buffer(&self.buffer, 0, bytes);
        }
    }
}

impl Gpu {
    /// Makes pipelines and buffers for the window's surface.
    pub fn new(state: &egui_wgpu::RenderState) -> Gpu {
        let (device, format) = (&state.device, state.target_format);
        let pipelines = Pipelines::new(device, format);
        let uniforms = Room::buffer(device, wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST, 256);
        let depth = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING;
        let shadow = texture(device, [SHADOW_SIDE; 2], DEPTH, depth, 1);
        let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            ..Default::default()
        });
        let vertex = || Room::new(device, wgpu::BufferUsages::VERTEX);
        Gpu {
            shared: pipelines.share(device, &uniforms, &shadow),
            shadow_shared: pipelines.share_for_shadow(device, &uniforms),
            pipelines,
            format,
            uniforms,
            shadow,
            sampler,
            vertices: vertex(),
            indices: Room::new(device, wgpu::BufferUsages::INDEX),
            instances: vertex(),
            segments: vertex(),
            grounds: vertex(),
            meshes: None,
            target: None,
        }
    }

    fn fit_target(&mut self, device: &wgpu::Device, size: [u32; 2]) {
        if self.target.as_ref().is_some_and(|target| target.size == size) {
            return;
        }
        let attachment = wgpu::TextureUsages::RENDER_ATTACHMENT;
        let color = texture(device, size, self.format, attachment | wgpu::TextureUsages::TEXTURE_BINDING, 1);
        self.target = Some(Target {
            size,
            multisampled: texture(device, size, self.format, attachment, SAMPLES),
            depth: texture(device, size, DEPTH, attachment, SAMPLES),
            shown: self.pipelines.show(device, &color, &self.sampler),
            color,
        });
    }

    fn upload(&mut self, device: &wgpu::Device, queue: &wgpu::Queue, frame: &Frame) {
        queue.write_buffer(&self.uniforms, 0, bytemuck::cast_slice(&frame.uniforms));
        if self.meshes != Some(frame.meshes.number) {
            self.vertices.put(device, queue, bytemuck::cast_slice(&frame.meshes.vertices));
            self.indices.put(device, queue, bytemuck::cast_slice(&frame.meshes.indices));
            self.meshes = Some(frame.meshes.number);
        }
        let instances: Vec<Instance> = frame.solid.iter().chain(&frame.ghosts).map(|drawn| drawn.instance).collect();
        self.instances.put(device, queue, bytemuck::cast_slice(&instances));
        self.segments.put(device, queue, bytemuck::cast_slice(&frame.segments));
        self.grounds.put(device, queue, bytemuck::cast_slice(&frame.grounds));
    }

    fn draw_bodies(&self, pass: &mut wgpu::RenderPass, frame: &Frame, bodies: &[Drawn], first: usize) {
        if frame.meshes.indices.is_empty() {
            return;
        }
        pass.set_vertex_buffer(0, self.vertices.buffer.slice(..));
        pass.set_vertex_buffer(1, self.instances.buffer.slice(..));
        pass.set_index_buffer(self.indices.buffer.slice(..), wgpu::IndexFormat::Uint32);
        for (drawn, at) in bodies.iter().zip(first as u32..) {
            if let Some(range) = frame.meshes.ranges.get(drawn.body).filter(|range| !range.is_empty()) {
                pass.draw_indexed(range.clone(), 0, at..at + 1);
            }
        }
    }

    fn draw_shadows(&self, encoder: &mut wgpu::CommandEncoder, frame: &Frame) {
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            depth_stencil_attachment: Some(depth_attachment(&self.shadow, wgpu::StoreOp::Store)),
            ..Default::default()
        });
        pass.set_pipeline(&self.pipelines.shadow);
        pass.set_bind_group(0, &self.shadow_shared, &[]);
        self.draw_bodies(&mut pass, frame, &frame.solid, 0);
    }

    fn draw_picture(&self, encoder: &mut wgpu::CommandEncoder, frame: &Frame) {
        let Some(target) = &self.target else { return };
        let ops = wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::BLACK), store: wgpu::StoreOp::Discard };
        let color = wgpu::RenderPassColorAttachment {
            view: &target.multisampled,
            depth_slice: None,
            resolve_target: Some(&target.color),
            ops,
        };
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            color_attachments: &[Some(color)],
            depth_stencil_attachment: Some(depth_attachment(&target.depth, wgpu::StoreOp::Discard)),
            ..Default::default()
        });
        let pipelines = &self.pipelines;
        pass.set_bind_group(0, &self.shared, &[]);
        pass.set_pipeline(&pipelines.sky);
        pass.draw(0..3, 0..1);
        pass.set_pipeline(&pipelines.body);
        self.draw_bodies(&mut pass, frame, &frame.solid, 0);
        if !frame.grounds.is_empty() {
            pass.set_pipeline(&pipelines.ground);
            pass.set_vertex_buffer(0, self.grounds.buffer.slice(..));
            pass.draw(0..6, 0..frame.grounds.len() as u32);
        }
        pass.set_pipeline(&pipelines.ghost);
        self.draw_bodies(&mut pass, frame, &frame.ghosts, frame.solid.len());
        if !frame.segments.is_empty() {
            pass.set_vertex_buffer(0, self.segments.buffer.slice(..));
            for pipeline in [&pipelines.hidden_line, &pipelines.line] {
                pass.set_pipeline(pipeline);
                pass.draw(0..6, 0..frame.segments.len() as u32);
            }
        }
    }
}

impl egui_wgpu::CallbackTrait for Callback {
    fn prepare(
        &self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        _screen: &egui_wgpu::ScreenDescriptor,
        encoder: &mut wgpu::CommandEncoder,
        resources: &mut egui_wgpu::CallbackResources,
    ) -> Vec<wgpu::CommandBuffer> {
        if let Some(gpu) = resources.get_mut::<Gpu>() {
            gpu.fit_target(device, self.0.size);
            gpu.upload(device, queue, &self.0);
            gpu.draw_shadows(encoder, &self.0);
            gpu.draw_picture(encoder, &self.0);
        }
        Vec::new()
    }

    fn paint(
        &self,
        _info: PaintCallbackInfo,
        pass: &mut wgpu::RenderPass<'static>,
        resources: &egui_wgpu::CallbackResources,
    ) {
        let Some(gpu) = resources.get::<Gpu>() else { return };
        let Some(target) = &gpu.target else { return };
        pass.set_pipeline(&gpu.pipelines.blit);
        pass.set_bind_group(0, &target.shown, &[]);
        pass.draw(0..3, 0..1);
    }
}

fn texture(
    device: &wgpu::Device,
    size: [u32; 2],
    format: wgpu::TextureFormat,
    usage: wgpu::TextureUsages,
    sample_count: u32,
) -> wgpu::TextureView {
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d { width: size[0], height: size[1], depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage,
        view_formats: &[],
    });
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}

fn depth_attachment(view: &wgpu::TextureView, store: wgpu::StoreOp) -> wgpu::RenderPassDepthStencilAttachment<'_> {
    wgpu::RenderPassDepthStencilAttachment {
        view,
        depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(1.0), store }),
        stencil_ops: None,
    }
}
