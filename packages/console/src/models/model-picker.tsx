/**
 * Model picker: which model answers: the crew's own, or one that the server offers.
 */
import type { ModelInfo } from "@baton/client";
import { ChevronDown, Cpu } from "lucide-react";
import { useApp } from "../app-context.ts";
import { useRequest } from "../loading/use-request.ts";
import { Menu, type MenuItem } from "../ui/layers/menu.tsx";
import { answeringModelOf } from "./answering-model.ts";
import { ModelChip } from "./model-chip.tsx";

interface ModelPickerProps {
  readonly crew: string;
  /** The chosen one; undefined: the crew's own. */
  readonly model: string | undefined;
  readonly onModel: (model: string | undefined) => void;
}

/** A menu of models; where the server offers none, what answers and how one is connected. */
export function ModelPicker({ crew, model, onModel }: ModelPickerProps) {
  const { client, words, me } = useApp();
  const found = useRequest("models", () => client.models());
  const models = found.state === "ready" ? found.value : [];
  const toItem = useItem(model, onModel);
  if (me === undefined || models.length === 0) return <ModelChip crew={crew} />;
  const answering = answeringModelOf(me.model, crew);
  const own = answering.kind === "models" ? answering.names.join(", ") : words.chat.answering[answering.kind];
  const chosen = models.find(({ id }) => id === model);
  const button = (
    <>
      <Cpu size={13} aria-hidden />
      <span>{chosen?.label ?? own}</span>
      <ChevronDown size={13} aria-hidden />
    </>
  );
  const items: readonly MenuItem[] = [
    { id: "", name: words.chat.ownModels, note: own, isChosen: model === undefined, onPress: () => onModel(undefined) },
    ...models.map(toItem),
  ];
  return (
    <Menu
      role="listbox"
      label={`${words.chat.modelLabel}: ${chosen?.label ?? own}`}
      className="composer-chip named model-picker"
      isIcon
      button={button}
      items={items}
    />
  );
}

function useItem(model: string | undefined, onModel: ModelPickerProps["onModel"]): (one: ModelInfo) => MenuItem {
  const { words, format } = useApp();
  return ({ id, label, provider, available, reason, images, window, price }) => ({
    id,
    name: label,
    note: available
      ? [
          provider,
          ...(images ? [words.chat.takesImages] : []),
          ...(window === undefined ? [] : [format.brief(window)]),
        ].join(" · ")
      : (reason ?? words.chat.notAvailable),
    ...(price === undefined ? {} : { aside: `${format.money(price.input)}\n${format.money(price.output)}` }),
    isDisabled: !available,
    isChosen: id === model,
    onPress: () => onModel(id),
  });
}
