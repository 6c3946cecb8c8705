import type { ModuleVerb } from '../../module'

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** `ops.placeCalls`: a voice test calls its number, as often as it says. */
export const verb: ModuleVerb<'ops.voiceTest'> = async ({ entities }, runs) => {
  const made = await entities.createMany(
    'ops.talkHistory',
    runs.flatMap(({ subject: { record } }) =>
      Array.from({ length: Number(record.repeat ?? 1) }, () => ({
        ...{ kind: 'test', voiceTestId: record.id, caller: record.caller, callee: record.callee, gatewayId: record.gatewayId },
        ...{ codec: record.codec, holdSec: record.holdSec },
        dialled: `${text(record.routePrefix)}${text(record.callee).replace(/^\+/, '')}`,
      })),
    ),
  )
  await entities.transitions(
    'ops.talkHistory',
    made.map(({ id }) => text(id)),
    'dial',
  )
}
