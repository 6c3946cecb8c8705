import { asciiAddress, domainOf, isMailAddress } from '../../../../src/headless/mail'
import { providerOf } from '../../../../src/headless/mail/providers'
import { exchangersOf } from '../../../platform/mail'
import { ok, ServiceError } from '../../../platform/http'
import type { ModuleCall } from '../../module'
import { bodySchema, described, textSchema } from '../api'

/** Which provider an address is with: by its domain, else by the domain's mail exchangers. Nobody but DNS is asked. */
export const call: ModuleCall = ({ app }) => {
  app.post<{ Body: { address: string } }>(
    '/v2/mail/provider',
    described(
      'The provider of an address, by its domain or the mail exchangers of it',
      bodySchema({ address: textSchema(320) }, ['address']),
    ),
    async (request) => {
      const { address } = request.body
      if (!isMailAddress(address)) throw new ServiceError('badRequest')
      const known = providerOf(address)
      const provider = known ?? providerOf(address, await exchangersOf(domainOf(asciiAddress(address))))
      return ok({ provider: provider?.id ?? null })
    },
  )
}
