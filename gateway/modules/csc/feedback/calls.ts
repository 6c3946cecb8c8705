/** Where the calls of feedback stand, and who may use them: whoever writes and rates; reads that of others; answers it; sees, and says, what is asked. */
export const CALLS = {
  ...{ base: '/v2/sys/staff', tag: 'feedback' },
  keys: {
    own: 'csc:feedbackmanagement:feedback',
    list: 'csc:feedbackmanagement:fb-list',
    manage: 'csc:feedback:manage',
    look: 'setModule:feedbackmanagement:fb-config',
    configure: 'setModule:feedbackmanagement:edit',
  },
} as const
