/** Stages in which an opportunity is worked on, in order. */
export const OPEN_STAGES = ['s1', 's2', 's3', 's4', 's5'] as const
/** Every stage that can be reached going forward, in order; `lost` is beside them. */
export const STAGE_ORDER = [...OPEN_STAGES, 'won'] as const
