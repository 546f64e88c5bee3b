/**
 * Draws meshes with WebGL 2. All views share one context, since browsers limit their number: each picture is drawn on
 * a hidden canvas and copied. Buffers of recent pictures are cached.
 */

import type { MeshPicture } from "../../api/meshes";
import { lightsOf, MAX_FOG, type RenderInput } from "./render-input";

const VERTEX = `#version 300 es
uniform mat4 toScreen;
uniform float pointPx, scale, fogFrom, fog;
uniform vec3 paper;
in vec3 place;
in vec3 tint;
out vec3 color;
out vec3 spot;
void main() {
  gl_Position = toScreen * vec4(place, 1.0);
  gl_PointSize = pointPx;
  color = mix(tint, paper, fog * clamp((gl_Position.w - fogFrom) / 2.0, 0.0, 1.0));
  spot = place * scale;
}`;

/** Faces are lit by their normals, computed from screen derivatives; both sides are lit. */
const FRAGMENT = `#version 300 es
precision highp float;
uniform bool isRound, lit;
uniform vec3 from[4], light[4], around;
in vec3 color;
in vec3 spot;
out vec4 shown;
void main() {
  if (isRound) {
    vec2 off = gl_PointCoord * 2.0 - 1.0;
    if (dot(off, off) > 1.0) discard;
  }
  vec3 bright = vec3(1.0);
  if (lit) {
    vec3 normal = cross(dFdx(spot), dFdy(spot));
    float size = length(normal);
    normal = size > 0.0 ? normal / size : vec3(0.0);
    bright = around;
    for (int at = 0; at < 4; at++) bright += light[at] * abs(dot(normal, from[at]));
  }
  shown = vec4(min(color * bright, 1.0), 1.0);
}`;

const MAX_BYTES = 256 * 2 ** 20;
/** Smaller points are drawn as squares, which look the same. */
const LEAST_ROUND_PX = 3;

interface GpuBuffers {
  points: WebGLBuffer;
  faces: WebGLBuffer | null;
  edges: WebGLBuffer | null;
  colors: WebGLBuffer | null;
  bytes: number;
}

export class Gpu {
  readonly #canvas: HTMLCanvasElement;
  readonly #gl: WebGL2RenderingContext;
  readonly #program: WebGLProgram;
  readonly #held = new Map<MeshPicture, GpuBuffers>();
  #lost = false;

  /** Null if WebGL is not available or not sufficient. */
  static open(): Gpu | null {
    const canvas = document.createElement("canvas");
    const gl = canvas.getContext("webgl2", { antialias: true, powerPreference: "high-performance" });
    const program = gl && programOf(gl);
    return gl && program ? new Gpu(canvas, gl, program) : null;
  }

  private constructor(canvas: HTMLCanvasElement, gl: WebGL2RenderingContext, program: WebGLProgram) {
    this.#canvas = canvas;
    this.#gl = gl;
    this.#program = program;
    canvas.addEventListener("webglcontextlost", () => {
      this.#lost = true;
    });
    // biome-ignore lint/correctness/useHookAtTopLevel: WebGL calls it so
    gl.useProgram(program);
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LEQUAL);
  }

  get lost(): boolean {
    return this.#lost || this.#gl.isContextLost();
  }

  /** Draws over the contents of `target`. */
  draw(target: CanvasRenderingContext2D, width: number, height: number, shot: RenderInput): void {
    const gl = this.#gl;
    if (this.#canvas.width < width) this.#canvas.width = width;
    if (this.#canvas.height < height) this.#canvas.height = height;
    gl.viewport(0, this.#canvas.height - height, width, height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    const { picture } = shot;
    const buffers = this.#hold(picture);
    this.#place(buffers, shot);
    if (picture.faces.length === 0) gl.drawArrays(gl.POINTS, 0, picture.points.length / 3);
    else if (shot.wire) {
      buffers.edges ??= this.#index(edgesOf(picture.faces), buffers);
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, buffers.edges);
      gl.drawElements(gl.LINES, picture.faces.length * 2, gl.UNSIGNED_INT, 0);
    } else {
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, buffers.faces);
      gl.drawElements(gl.TRIANGLES, picture.faces.length, gl.UNSIGNED_INT, 0);
    }
    target.drawImage(this.#canvas, 0, 0, width, height, 0, 0, width, height);
  }

  #place(buffers: GpuBuffers, shot: RenderInput): void {
    const gl = this.#gl;
    const at = (name: string) => gl.getUniformLocation(this.#program, name);
    const { picture, scene } = shot;
    const solid = picture.faces.length > 0;
    const size = Math.hypot(...([0, 1, 2] as const).map((axis) => picture.high[axis] - picture.low[axis]));
    gl.uniformMatrix4fv(at("toScreen"), false, shot.matrix);
    gl.uniform1f(at("pointPx"), shot.pointPx);
    gl.uniform1f(at("scale"), size > 0 ? 1 / size : 1);
    gl.uniform1i(at("isRound"), !solid && shot.pointPx >= LEAST_ROUND_PX ? 1 : 0);
    gl.uniform1i(at("lit"), solid && !shot.wire && !scene.unlit ? 1 : 0);
    gl.uniform1f(at("fog"), shot.fog ? MAX_FOG : 0);
    gl.uniform1f(at("fogFrom"), shot.fog?.from ?? 0);
    gl.uniform3f(at("paper"), ...(shot.fog?.paper ?? shot.color));
    const from = new Float32Array(12);
    const light = new Float32Array(12);
    const around = [0, 0, 0] as [number, number, number];
    lightsOf(shot).forEach((each, place) => {
      const length = each.from ? Math.hypot(...each.from) : 1;
      each.color.forEach((part, axis) => {
        if (each.from) {
          from[place * 3 + axis] = each.from[axis]! / length;
          light[place * 3 + axis] = part;
        } else around[axis]! += part;
      });
    });
    gl.uniform3fv(at("from"), from);
    gl.uniform3fv(at("light"), light);
    gl.uniform3f(at("around"), ...around);
    this.#feed("place", buffers.points, gl.FLOAT, false);
    const tint = gl.getAttribLocation(this.#program, "tint");
    if (buffers.colors) this.#feed("tint", buffers.colors, gl.UNSIGNED_BYTE, true);
    else {
      gl.disableVertexAttribArray(tint);
      gl.vertexAttrib3f(tint, ...shot.color);
    }
  }

  #feed(name: string, buffer: WebGLBuffer, type: number, whole: boolean): void {
    const gl = this.#gl;
    const at = gl.getAttribLocation(this.#program, name);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.enableVertexAttribArray(at);
    gl.vertexAttribPointer(at, 3, type, whole, 0, 0);
  }

  #hold(picture: MeshPicture): GpuBuffers {
    const known = this.#held.get(picture);
    if (known) {
      this.#held.delete(picture);
      this.#held.set(picture, known);
      return known;
    }
    const gl = this.#gl;
    const buffers: GpuBuffers = {
      points: this.#array(picture.points),
      faces: null,
      edges: null,
      colors: null,
      bytes: 0,
    };
    if (picture.faces.length > 0) buffers.faces = this.#index(picture.faces, buffers);
    if (picture.colors) buffers.colors = this.#array(picture.colors);
    buffers.bytes += picture.points.byteLength + (picture.colors?.byteLength ?? 0);
    this.#held.set(picture, buffers);
    let bytes = [...this.#held.values()].reduce((sum, each) => sum + each.bytes, 0);
    for (const [old, given] of this.#held) {
      if (bytes <= MAX_BYTES || old === picture) break;
      for (const buffer of [given.points, given.faces, given.edges, given.colors]) gl.deleteBuffer(buffer);
      this.#held.delete(old);
      bytes -= given.bytes;
    }
    return buffers;
  }

  #array(numbers: Float32Array | Uint8Array): WebGLBuffer {
    const gl = this.#gl;
    const buffer = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, numbers, gl.STATIC_DRAW);
    return buffer;
  }

  #index(places: Uint32Array, buffers: GpuBuffers): WebGLBuffer {
    const gl = this.#gl;
    const buffer = gl.createBuffer();
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, places, gl.STATIC_DRAW);
    buffers.bytes += places.byteLength;
    return buffer;
  }
}

/** The three edges of each face, as pairs of indices. */
export function edgesOf(faces: Uint32Array): Uint32Array {
  const edges = new Uint32Array(faces.length * 2);
  for (let at = 0; at < faces.length; at += 3) {
    const [a, b, c] = [faces[at]!, faces[at + 1]!, faces[at + 2]!];
    edges.set([a, b, b, c, c, a], at * 2);
  }
  return edges;
}

function programOf(gl: WebGL2RenderingContext): WebGLProgram | null {
  const program = gl.createProgram();
  const parts: readonly (readonly [number, string])[] = [
    [gl.VERTEX_SHADER, VERTEX],
    [gl.FRAGMENT_SHADER, FRAGMENT],
  ];
  for (const [kind, source] of parts) {
    const shader = gl.createShader(kind);
    if (!shader) return null;
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  return gl.getProgramParameter(program, gl.LINK_STATUS) ? program : null;
}
