import { Select } from 'antd'
import { useNeighbours } from '../../runtime/form/view/session'
import { useHost } from '../../runtime/hostContext'
import { Loaded } from '../../runtime/reading/Loaded'
import { tellFailure } from '../../runtime/reading/tell'
import { useCall } from '../../runtime/reading/useCall'
import { campaignTexts } from './texts'

interface Choice {
  id: string
  name: string
  kind: string
  language?: string | null
}

interface Template {
  subject: string | null
  bodyHtml: string
  attachments: readonly unknown[] | null
}

const KINDS = ['campaign', 'general']
const isEmpty = (value: unknown): boolean => typeof value !== 'string' || value.replace(/<[^>]*>/gu, '').trim() === ''

/** Begins the letter of a campaign with a mail template: one in English becomes the English version where there is a Chinese one already. */
const CampaignTemplate = () => {
  const host = useHost()
  const texts = campaignTexts[host.locale]
  const beside = useNeighbours('')
  const call = useCall<readonly Choice[]>({ method: 'GET', path: '/v2/emailbox/select/temp' })
  const take = async ({ id, language }: Choice): Promise<void> => {
    const { subject, bodyHtml, attachments } = await host.request<Template>({
      method: 'GET',
      path: `/v2/emailbox/temp/view/${encodeURIComponent(id)}`,
    })
    const isSecond = language?.startsWith('en') === true && !isEmpty(beside.get('body'))
    const [heading, body] = isSecond ? ['subjectEn', 'bodyEn'] : ['subject', 'body']
    if (!isEmpty(beside.get(body!)) && !(await host.confirm({ title: texts.replaceTitle, okText: texts.replace }))) return
    if (subject !== null) beside.set(heading!, subject)
    beside.set(body!, bodyHtml)
    if ((attachments ?? []).length > 0) host.notify('warning', texts.withoutFiles)
  }
  return (
    <Loaded call={call}>
      {(all) => {
        const templates = all.filter(({ kind }) => KINDS.includes(kind))
        return (
          <Select
            aria-label={texts.template}
            placeholder={templates.length > 0 ? texts.template : texts.noTemplates}
            disabled={templates.length === 0}
            style={{ width: 320, maxWidth: '100%' }}
            value={null}
            options={templates.map((template) => ({ value: template.id, label: template.name, template }))}
            onSelect={(_id, { template }) =>
              void take(template).catch((error: unknown) => tellFailure(host, error, 'crm.campaignTemplate'))
            }
          />
        )
      }}
    </Loaded>
  )
}
export default CampaignTemplate
