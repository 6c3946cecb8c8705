/**
 * Approvals: processes with their versions and forms, approval roles, what people apply for and decide.
 *
 *   registerWorkflowServices(engine)
 *   const { synchronise } = registerWorkflow(parts)
 *   await synchronise()   // once the tables are there: brings shipped processes into the database
 */
import type { DemoWorld } from '../demo'
import type { EntityEngine } from '../entities'
import { addApplications } from './demo'
import { registerDesignCalls } from './design/calls'
import { decisionGate } from './decisions'
import { registerFlow, TIMER_LINE } from './flow'
import { registerFormCalls } from './forms/calls'
import { registerFactsCall } from './forms/facts'
import { registerRateCall } from './forms/rates'
import { applicationService } from './my/applications'
import { registerMyCalls } from './my/calls'
import { registerSummaries } from './my/summaries'
import { registerNotices, type Notices } from './notices'
import type { WorkflowParts } from './parts'
import { registerProcessCalls } from './processes/calls'
import { synchronise, type Synchronised } from './processes/sync'
import { registerRoleCalls } from './roles/calls'
import { roleService } from './roles/service'
import { registerSelectCalls } from './select/calls'
import { registerViewCalls } from './views/calls'

export { workflowDemo } from './demo'

export { closedStarts } from './processes/closedStarts'
export { startPages } from './processes/mayStart'

/** Where reminders, limits and delays of applications wait. */
export const WORKFLOW_TIMERS = TIMER_LINE

/** Address of the upload of attachments of applications; what is uploaded is a file like any other. */
export const WORKFLOW_UPLOAD = '/v2/workflow/file/upload'

/** Registers what the entities of approvals name as services. */
export function registerWorkflowServices(engine: EntityEngine): void {
  engine.registerEntityService('wf.role', roleService)
  engine.registerEntityService('wf.instance', applicationService)
  registerSummaries(engine)
}

export interface Workflow {
  /** Brings the shipped processes into the database. */
  synchronise(): Promise<Synchronised>
  /** Tells chat groups. */
  notices: Notices
  /** Adds applications to the demo world, once its people and records are there. */
  addDemo(world: DemoWorld): Promise<void>
}

/** Serves the calls under /v2/workflow. */
export function registerWorkflow(parts: WorkflowParts): Workflow {
  registerProcessCalls(parts)
  registerDesignCalls(parts)
  registerFormCalls(parts)
  registerFactsCall(parts)
  registerRateCall(parts)
  registerRoleCalls(parts)
  registerSelectCalls(parts)
  registerMyCalls(parts)
  registerViewCalls(parts)
  const notices = registerNotices(parts.app, parts)
  registerFlow(parts, notices)
  parts.engine.gate(decisionGate({ ...parts, notices }))
  return { synchronise: () => synchronise(parts), notices, addDemo: (world) => addApplications(parts, world) }
}
