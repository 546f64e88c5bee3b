/** Changes the priority of a job or notebook, which counts whenever it waits for a slot. */

import { useState } from "react";
import { useWords } from "../../i18n/words";
import { Dialog } from "../../ui/dialog";
import { changePriority } from "../data/job-actions";
import { Form } from "./form";
import { PriorityChoice } from "./priority-choice";

interface ChangePriorityProps {
  job: { id: string; name: string; priority: number };
  onClose(): void;
  /** Called after it was changed. */
  onChanged?: () => void;
}

export function ChangePriority({ job, onClose, onChanged }: ChangePriorityProps) {
  const say = useWords();
  const [priority, setPriority] = useState(String(job.priority));
  return (
    <Dialog
      title={say("hub.job.priorityTitle", { name: job.name })}
      closeLabel={say("action.close")}
      open
      onClose={onClose}
    >
      <Form
        verb={say("action.save")}
        ready
        onSend={async () => {
          await changePriority(job.id, Number(priority));
          onChanged?.();
          onClose();
        }}
        onCancel={onClose}
      >
        <PriorityChoice value={priority} onChange={setPriority} />
      </Form>
    </Dialog>
  );
}
