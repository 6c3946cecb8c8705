/** A machine of another maker that a test is done with: one adapter a protocol. */
export interface Connector<Order, Outcome> {
  /** Does one order. Rejects where the machine was not reached. */
  ask(order: Order, signal: AbortSignal): Promise<Outcome>
  close(): Promise<void>
}

export interface SmsOrder {
  /** In international format, with +. */
  to: string
  sender: string
  content: string
  /** Code of the channel that is tested. */
  channel: string | null
}

export interface SmsOutcome {
  accepted: boolean
  /** What the platform calls the message. */
  messageId: string | null
  /** Its command status where it refused. */
  errorCode: string | null
}

/** What the platform says later of a message. */
export interface SmsReceipt {
  messageId: string
  /** Dictionary `smsReceipt`. */
  state: 'delivered' | 'failed' | 'expired' | 'rejected' | 'unknown'
  errorCode: string | null
}

export interface CallOrder {
  caller: string
  callee: string
  /** Dictionary `voiceCodec`. */
  codec: string
  /** Seconds after the answer until we hang up. */
  holdSec: number
}

export interface CallOutcome {
  ringAt: Date | null
  answeredAt: Date | null
  endedAt: Date
  /** From the call to ringing or, without it, to the answer. */
  pddMs: number | null
  durationSec: number | null
  sipCode: number
  sipText: string
  /** Dictionary `callResult`. */
  result: 'answered' | 'noAnswer' | 'busy' | 'refused' | 'failed'
}

export interface Connectors {
  sms: Connector<SmsOrder, SmsOutcome> | undefined
  /** The platform is told which channel to take. */
  namesChannels: boolean
  voice: Connector<CallOrder, CallOutcome> | undefined
  /** Who hears of receipts. */
  onReceipt: (receipt: SmsReceipt) => Promise<void>
}
