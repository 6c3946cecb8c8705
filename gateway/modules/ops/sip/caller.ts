import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import type { CallOrder, CallOutcome, Connector } from '../connector'
import { SipCall, type SipOptions } from './call'

/** Places calls by SIP over UDP, each on a socket of its own; another one takes the media, which nobody hears. */
export class SipCaller implements Connector<CallOrder, CallOutcome> {
  private readonly calls = new Set<SipCall>()

  constructor(private readonly options: SipOptions) {}

  async ask(order: CallOrder, signal: AbortSignal): Promise<CallOutcome> {
    const family = this.options.host.includes(':') ? 'udp6' : 'udp4'
    const [signalling, media] = [createSocket(family), createSocket(family)]
    try {
      await opened(signalling, () => signalling.connect(this.options.port, this.options.host), 'connect')
      await opened(media, () => media.bind(0, signalling.address().address), 'listening')
      media.on('message', () => undefined)
      const call = new SipCall(signalling, this.options, order, media.address().port)
      this.calls.add(call)
      try {
        return await call.run(signal)
      } finally {
        this.calls.delete(call)
      }
    } finally {
      signalling.close()
      media.close()
    }
  }

  close(): Promise<void> {
    for (const call of this.calls) call.abandon()
    return Promise.resolve()
  }
}

async function opened(socket: Socket, open: () => void, event: string): Promise<void> {
  const ready = once(socket, event)
  open()
  await ready
  socket.on('error', () => undefined)
}
