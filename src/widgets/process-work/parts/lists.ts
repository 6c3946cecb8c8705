/** Base paths of the entities whose lists follow what is done here. */
export const WORK_LISTS = {
  tasks: '/v2/wf/task',
  instances: '/v2/wf/instance',
  copies: '/v2/wf/cc',
} as const
