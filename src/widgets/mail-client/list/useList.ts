import { useEffect, useMemo, useState } from 'react'
import { companyZone } from '../../../headless/scope'
import type { Failure } from '../../../headless/failure'
import { onChanged } from '../../../runtime/changes'
import { useHost } from '../../../runtime/hostContext'
import { useCall } from '../../../runtime/reading/useCall'
import { filterOf, listPath, PAGE_SIZE, type Place } from '../parts/place'
import type { MailPage, Row } from '../parts/types'
import { MAIL } from '../parts/useMailboxes'
import { conversationsOf } from './conversations'

/** A page of messages as it is shown. */
export interface ShownList {
  /** Null until the first answer. */
  rows: readonly Row[] | null
  /** By the row that stands for a conversation, how many of it are on the page. */
  together: ReadonlyMap<string, number>
  page: MailPage | null
  /** The rows are those of before. */
  isOld: boolean
  failure: Failure | null
  filter: ReturnType<typeof filterOf>
  reload(): void
}

/** Reads the list of a place, and again with what is done with mail and what arrives; rows of before stand until the new ones come. */
export function useList(place: Place, conversations: boolean): ShownList {
  const host = useHost()
  const zone = companyZone(host)
  const { box } = place
  const filter = useMemo(() => filterOf(place, host.user.staffId, zone), [place, host.user.staffId, zone])
  const call = useCall<MailPage>(
    box === 'drafts' ? null : { method: 'POST', path: listPath(box), body: { ...filter, page: place.page, size: PAGE_SIZE } },
  )
  const { reload } = call
  useEffect(() => onChanged(MAIL, reload), [reload])
  const [last, setLast] = useState<{ box: string; page: MailPage } | null>(null)
  if (call.data && call.data !== last?.page) setLast({ box, page: call.data })
  const page = call.data ?? (last?.box === box ? last.page : null)
  const shown = useMemo(() => (page ? conversationsOf(page.list, conversations) : null), [page, conversations])
  return {
    rows: shown?.rows ?? null,
    together: shown?.together ?? new Map<string, number>(),
    page,
    isOld: call.data === null && page !== null,
    failure: call.failure,
    filter,
    reload,
  }
}
