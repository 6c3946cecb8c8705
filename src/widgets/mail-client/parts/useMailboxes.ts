import { useEffect, useMemo } from 'react'
import { onChanged } from '../../../runtime/changes'
import { useCall, type Call } from '../../../runtime/reading/useCall'
import type { Mailbox, Mark, Person } from './types'

/** Base path of the calls of a message: what changes mail tells it, what shows mail hears it. */
export const MAIL = '/v2/mail/message'
/** Base path of the calls of a mailbox: its settings. */
export const ACCOUNT = '/v2/mail/account'

interface State {
  bound: boolean
  accounts: readonly (Pick<Mailbox, 'address' | 'state' | 'syncError' | 'lastSyncAt' | 'right'> & { accountId: string })[]
}
interface Records<T> {
  records: readonly T[]
}

const NONE: readonly never[] = []
const BASE = '/v2/emailbox'

/** The mailboxes of the reader; null until they are known. */
export interface Mailboxes {
  call: Call<State>
  boxes: readonly Mailbox[] | null
  marks: readonly Mark[]
  /** Who follows mail up in shared mailboxes. */
  people: readonly Person[]
}

/** Reads mailboxes, folders with their counts, marks and people; counts follow what is done with mail. */
export function useMailboxes(): Mailboxes {
  const call = useCall<State>({ method: 'GET', path: `${BASE}/account/staff/state` })
  const accounts = useCall<Records<Mailbox>>({ method: 'POST', path: `${ACCOUNT}/queryPage`, body: { pageSize: 200 } })
  const folders = useCall<Records<Mailbox['folders'][number]>>({
    method: 'POST',
    path: '/v2/mail/folder/queryPage',
    body: { pageSize: 200 },
  })
  const marks = useCall<readonly Mark[]>({ method: 'GET', path: `${BASE}/select/mark` })
  const people = useCall<readonly Person[]>({ method: 'GET', path: `${BASE}/select/follow` })
  const { reload } = folders
  useEffect(() => onChanged(MAIL, reload), [reload])
  const { reload: reloadAccounts } = accounts
  useEffect(() => onChanged(ACCOUNT, reloadAccounts), [reloadAccounts])
  const boxes = useMemo(() => {
    const known = accounts.data?.records
    const there = folders.data?.records
    if (!call.data || !known || !there) return null
    return call.data.accounts.flatMap(({ accountId, ...state }) => {
      const account = known.find(({ id }) => id === accountId)
      return account ? [{ ...account, ...state, folders: there.filter((folder) => folder.accountId === accountId) }] : []
    })
  }, [call.data, accounts.data, folders.data])
  const failure = call.failure ?? accounts.failure ?? folders.failure
  return {
    call:
      failure && !call.failure
        ? { ...call, data: null, failure, reload: () => void (accounts.reload(), folders.reload()) }
        : call,
    boxes,
    marks: marks.data ?? NONE,
    people: people.data ?? NONE,
  }
}
