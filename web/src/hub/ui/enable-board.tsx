/** Enables the TensorBoard of a job or notebook that exists already, with the dataset and log path of what it shows. */

import { useState } from "react";
import { useWords } from "../../i18n/words";
import { Dialog } from "../../ui/dialog";
import { logDirOf, NO_BOARD } from "../data/board-option";
import { enableBoard } from "../data/job-actions";
import { isNotebook, type Job } from "../data/jobs";
import { LogPlace } from "./board-option-fields";
import { Form } from "./form";

export function EnableBoard({ job, onClose }: { job: Job; onClose(): void }) {
  const say = useWords();
  const [option, setOption] = useState({ ...NO_BOARD, enabled: true });
  return (
    <Dialog
      title={say("hub.job.enableTitle", { name: job.name })}
      closeLabel={say("action.close")}
      open
      onClose={onClose}
    >
      <Form
        verb={say("hub.act.enable")}
        ready
        onSend={async () => {
          await enableBoard(job, logDirOf(option));
          onClose();
        }}
        onCancel={onClose}
      >
        <LogPlace
          option={option}
          own={say(isNotebook(job) ? "hub.boardOption.ownNotebook" : "hub.boardOption.ownJob")}
          project={job.project}
          fault={undefined}
          shown
          onChange={setOption}
        />
      </Form>
    </Dialog>
  );
}
