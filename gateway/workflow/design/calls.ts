import { contextOf, ok } from '../../platform/http'
import { ID_FIELD } from '../paging'
import type { WorkflowParts } from '../parts'
import { DESIGN, ROLE } from '../processes/access'
import { checkerOf } from '../processes/check'
import { catalogueOf } from './catalogue'
import { dryRun, type DryRunRequest } from './dryRun'
import { peopleNow, type AskedRule } from './people'

const tags = ['workflow']
const about = (summary: string, more: object = {}) => ({ tags, summary, ...more })

/** Calls that only the designers of processes and forms need: what can be chosen, and what a choice gives today. */
export function registerDesignCalls(parts: WorkflowParts): void {
  const { app, database } = parts
  const check = checkerOf(parts)

  app.get(
    '/v2/workflow/process/catalogue',
    {
      schema: about('What processes and forms are made of: entities, dictionaries, roles, processes, forms, departments'),
      config: { permission: [DESIGN, ROLE] },
    },
    async (request) => ok(await catalogueOf(parts, contextOf(request))),
  )

  app.post<{ Body: { assignees: AskedRule[] } }>(
    '/v2/workflow/process/people',
    {
      schema: about('Whom rules for assignees find now, one answer for each; for the caller as applicant', {
        body: {
          type: 'object',
          properties: {
            assignees: {
              type: 'array',
              maxItems: 20,
              items: {
                type: 'object',
                properties: {
                  rule: { type: 'string', maxLength: 30 },
                  staff: { type: 'array', items: ID_FIELD, maxItems: 200 },
                  role: { type: 'string', maxLength: 60 },
                  level: { type: 'integer', minimum: 1, maximum: 10 },
                  chain: { type: 'boolean' },
                },
                required: ['rule'],
                additionalProperties: true,
              },
            },
          },
          required: ['assignees'],
          additionalProperties: false,
        },
      }),
      config: { permission: DESIGN },
    },
    async (request) => ok(await peopleNow(database, contextOf(request), request.body.assignees)),
  )

  app.post<{ Body: DryRunRequest }>(
    '/v2/workflow/process/dryRun',
    {
      schema: about('Which way an application of a process as it is drawn would go, and who would be asked; nothing is saved', {
        body: {
          type: 'object',
          properties: {
            document: { type: 'object', additionalProperties: true },
            values: { type: 'object', additionalProperties: true },
            instanceId: ID_FIELD,
            applicantId: ID_FIELD,
          },
          required: ['document'],
          additionalProperties: false,
        },
      }),
      config: { permission: DESIGN },
    },
    async (request) => ok(await dryRun(parts, contextOf(request), check, request.body)),
  )
}
