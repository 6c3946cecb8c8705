import { Button } from 'antd'
import { Suspense, useState } from 'react'
import { useHost } from '../../../runtime/hostContext'
import { lazyPart } from '../../../runtime/part/lazyPart'
import { mailTexts } from '../parts/texts'
import type { Message } from '../parts/types'
import { PartyCard } from './PartyCard'

const FormContainer = lazyPart(() => import('../../../runtime/action/FormContainer'), 'over')

const EDIT = 'crm:customer:edit'
const CLUE = 'csc:clue:assign'

interface Asked {
  form: string
  title: string
  values: Readonly<Record<string, unknown>>
}

/** Whom a message is from or to: his card, the mail exchanged with him, and what sales does next. In CRM it stands first, with all its parts. */
export const Party = ({ message, isFirst }: { message: Message; isFirst: boolean }) => {
  const host = useHost()
  const texts = mailTexts[host.locale]
  const [asked, setAsked] = useState<Asked | null>(null)
  const { customer, supplierId, direction } = message
  const other =
    direction === 'out' ? message.receiverEmailList[0] : { email: message.senderEmail, name: message.senderName ?? undefined }
  const email = other?.email ?? ''
  const name = other?.name ?? email.slice(0, email.lastIndexOf('@'))
  const customerId = customer?.id
  const dealings = new URLSearchParams(customerId ? { customerId } : supplierId ? { supplierId } : { email }).toString()
  const mayEdit = customerId !== undefined && host.can(EDIT)
  const isUnknown = !customer && !supplierId
  if (isUnknown && !isFirst) return null
  const offers: (Asked & { id: string; isOffered: boolean })[] = [
    {
      ...{ id: 'contact', form: 'crm/contact', title: texts.addContact, isOffered: mayEdit },
      values: { customerId, name, email },
    },
    {
      ...{ id: 'follow', form: 'crm/quick-follow-up', title: texts.makeFollowUp, isOffered: mayEdit },
      values: { customerId, content: message.subject, way: 'email' },
    },
    {
      ...{ id: 'clue', form: 'csc/clue', title: texts.makeClue, isOffered: isUnknown && direction === 'in' && host.can(CLUE) },
      values: { contactName: name, email, need: message.previewText ?? message.subject },
    },
  ]
  return (
    <section className="sb-mail-party" aria-label={texts.card}>
      {isUnknown ? (
        <p className="sb-mail-note">{texts.unknownParty}</p>
      ) : (
        <PartyCard customer={customer} supplierId={customer ? null : supplierId} isWhole={isFirst} />
      )}
      <div className="sb-mail-acts">
        {offers
          .filter(({ isOffered }) => isOffered)
          .map(({ id, title, ...rest }) => (
            <Button key={id} size="small" onClick={() => setAsked({ title, ...rest })}>
              {title}
            </Button>
          ))}
        {host.canOpen('/message/email/vce') && (
          <Button size="small" type="link" onClick={() => host.navigate(`/message/email/vce?${dealings}`)}>
            {texts.correspondence}
          </Button>
        )}
      </div>
      {asked && (
        <Suspense fallback={null}>
          <FormContainer
            form={asked.form}
            container="modal"
            title={asked.title}
            values={asked.values}
            onDone={() => setAsked(null)}
            onCancel={() => setAsked(null)}
          />
        </Suspense>
      )}
    </section>
  )
}
