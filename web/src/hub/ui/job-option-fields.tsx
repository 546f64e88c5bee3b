/** Fields that choose an image and a preset; hidden on a hub that has none. */

import { useId } from "react";
import { listOf } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { Choice } from "../../ui/choice";
import { TextBox } from "../../ui/text-box";
import { useImages } from "../data/images";
import { usePresets } from "../data/job-options";
import { imageText } from "./image-text";
import { presetText } from "./preset-text";

interface FieldProps {
  value: string;
  fault: string | undefined;
  onChange(value: string): void;
}

export function ImageChoice({ value, fault, onChange }: FieldProps) {
  const say = useWords();
  const { data } = useImages();
  const images = data?.images ?? [];
  const names = withValue(
    images.map(({ name }) => name),
    value,
  );
  const allowed = data?.container_images ?? [];
  if (allowed.length > 0)
    return <ImageBox names={names} allowed={allowed} value={value} fault={fault} onChange={onChange} />;
  if (names.length === 0) return null;
  const labels = new Map(images.map((image) => [image.name, imageText(say, image)]));
  const building = images.some(({ name, state }) => name === value && state === "building");
  return (
    <Choice
      label={say("hub.job.image")}
      hint={say(building ? "hub.image.waits" : "hub.job.imageHint")}
      fault={fault}
      value={value}
      options={[
        { value: "", label: say("hub.job.noImage") },
        ...names.map((name) => ({ value: name, label: labels.get(name) ?? name })),
      ]}
      data-testid="image"
      onChange={onChange}
    />
  );
}

interface ImageBoxProps extends FieldProps {
  /** Those of the hub. */
  names: readonly string[];
  /** Patterns of container images that can be named as well. */
  allowed: readonly string[];
}

/** Any container image can be typed; those that the hub has are suggested. */
function ImageBox({ names, allowed, value, fault, onChange }: ImageBoxProps) {
  const say = useWords();
  const list = useId();
  return (
    <>
      <TextBox
        label={say("hub.job.image")}
        hint={say("hub.image.allowed", { patterns: listOf(allowed) })}
        fault={fault}
        value={value}
        placeholder={say("hub.job.noImage")}
        list={list}
        code
        data-testid="image"
        onChange={(name) => onChange(name.trim())}
      />
      <datalist id={list}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}

export function PresetChoice({ value, hint, fault, onChange }: FieldProps & { hint: string }) {
  const say = useWords();
  const presets = usePresets();
  const names = withValue(
    presets.map(({ name }) => name),
    value,
  );
  if (names.length === 0) return null;
  const labels = new Map(presets.map((preset) => [preset.name, presetText(say, preset)]));
  return (
    <Choice
      label={say("hub.job.preset")}
      hint={hint}
      fault={fault}
      value={value || names[0]!}
      options={names.map((name) => ({ value: name, label: labels.get(name) ?? name }))}
      data-testid="preset"
      onChange={onChange}
    />
  );
}

/** The names, and one that the hub does not have any more, as that of a cloned job. */
const withValue = (names: readonly string[], value: string) =>
  value === "" || names.includes(value) ? names : [...names, value];
