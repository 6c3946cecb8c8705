import type { ModuleOutsideVerb } from '../../module'
import { connectorsOf } from '../connectors'

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** `ops.dial`: places one call and tells how it went. */
export const outside: ModuleOutsideVerb = async ({ engine, configuration, with: { caller, callee, codec, holdSec }, signal }) => {
  const { voice } = connectorsOf(engine, configuration)
  if (!voice) throw new Error('SIP 未连接 / SIP_ADDRESS is not set')
  const order = { caller: text(caller), callee: text(callee), codec: text(codec), holdSec: Number(holdSec ?? 0) }
  const { ringAt, answeredAt, endedAt, ...figures } = await voice.ask(order, signal)
  const moment = (date: Date | null): string | null => date?.toISOString() ?? null
  return { ringAt: moment(ringAt), answeredAt: moment(answeredAt), endedAt: moment(endedAt), ...figures }
}
