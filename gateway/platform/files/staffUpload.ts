import type { FastifyInstance, FastifyRequest } from 'fastify'
import { newId } from '../database'
import { contextOf, ok, ServiceError } from '../http'
import type { SessionService } from '../session'
import type { FileAnswer } from './records'
import type { SpooledFile } from './spool'

const BASE = '/v2/sys/staff/file'
const FILES = '/v2/download/downloadCenter/api/file'
const ADDRESS_SECONDS = 600

/** The one file that an upload address was given for. */
export interface GivenUpload {
  fileId: string
  name: string
  size: number
}

interface StaffUploadParts {
  signer: SessionService['signer']
  take(request: FastifyRequest, given?: GivenUpload): Promise<FileAnswer>
  /** Bytes of one file. */
  limit: number
}

const wrongAddress = new ServiceError('fileRefused', {
  message: { zh: '上传地址已失效，或不是给这个文件的。', en: 'This upload address has expired, or was given for another file.' },
})

/** @throws ServiceError 10010012 for another file than the one that the address was given for */
export function refuseOther({ name, size }: GivenUpload, file: SpooledFile, sent: string): void {
  if (sent !== name || file.size !== size) throw wrongAddress
}

/** An upload, and an address of ten minutes for one file of a named size: it takes the caller's own session, and takes that file once. */
export function registerStaffUpload(app: FastifyInstance, { signer, take, limit }: StaffUploadParts): void {
  app.post<{ Querystring: { ticket?: string } }>(
    `${BASE}/upload`,
    {
      schema: {
        summary: 'Uploads a file (multipart `file`)',
        consumes: ['multipart/form-data'],
        querystring: { type: 'object', properties: { ticket: { type: 'string', maxLength: 2000 } } },
      },
    },
    async (request) => {
      const { ticket } = request.query
      const { id, ...file } = await take(request, ticket === undefined ? undefined : await givenBy(request, ticket))
      return ok({ fileId: id, url: `${FILES}/${id}`, ...file })
    },
  )
  app.get<{ Querystring: { name: string; size: number } }>(
    `${BASE}/uploadAndGetUrl`,
    {
      schema: {
        summary: 'An upload address of ten minutes for one file',
        querystring: {
          type: 'object',
          required: ['name', 'size'],
          properties: {
            name: { type: 'string', minLength: 1, maxLength: 255 },
            size: { type: 'integer', minimum: 1, maximum: limit },
          },
        },
      },
    },
    async (request) => {
      const given = { ...request.query, fileId: newId() }
      const ticket = await signer.sign('upload', { ...given, sub: contextOf(request).user.staffId }, ADDRESS_SECONDS)
      return ok({ fileId: given.fileId, url: `${BASE}/upload?ticket=${ticket}`, expiresIn: ADDRESS_SECONDS })
    },
  )

  async function givenBy(request: FastifyRequest, ticket: string): Promise<GivenUpload> {
    const claims = await signer.verify('upload', ticket)
    if (typeof claims === 'string' || claims.sub !== contextOf(request).user.staffId) throw wrongAddress
    return { fileId: String(claims['fileId']), name: String(claims['name']), size: Number(claims['size']) }
  }
}
