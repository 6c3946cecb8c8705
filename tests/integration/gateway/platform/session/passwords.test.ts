import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hashOf } from '../../../../../gateway/platform/session/secrets'
import { PASSWORD, beginSignIn, codeFrom, hiddenField, sendPassword, startGateway } from '../../../../support/gateway'
import type { TestGateway } from '../../../../support/gateway'

let test: TestGateway
beforeAll(async () => {
  test = await startGateway()
  for (const [id, jobNumber] of [
    ['wang', 'S0042'],
    ['li', 'S0043'],
    ['zhao', 'S0044'],
    ['sun', 'S0045'],
  ] as const)
    await test.addStaff({ id, jobNumber, email: `${id}@example.com` })
})
afterAll(() => test.close())

const attempt = async (fields: Record<string, string>) => {
  const response = await sendPassword(test.base, { request: await beginSignIn(test.base), ...fields })
  return { status: response.status, html: await response.text(), response }
}
const change = (caller: { post: TestGateway['anybody']['post'] }, oldPassword: string, newPassword: string) =>
  caller.post<{ errors?: { field: string }[]; ended?: number }>('/v2/sys/staff/user/changePassword', { oldPassword, newPassword })

describe('the sign-in form', () => {
  it('says 用户名格式不正确 for a wrongly formed name (R280)', async () => {
    for (const name of ['', 'a', 'a b', 'x'.repeat(65), '<b>'])
      expect((await attempt({ name, password: PASSWORD })).html).toContain('用户名格式不正确')
  })

  it('says 密码格式不正确 for a wrongly formed password (R281)', async () => {
    for (const password of ['', '12345', 'with space 1', 'x'.repeat(65)])
      expect((await attempt({ name: 'S0042', password })).html).toContain('密码格式不正确')
  })

  it('says the same for a wrong password and an unknown name', async () => {
    const [wrong, unknown] = [
      await attempt({ name: 'S0045', password: 'wrong-password-1' }),
      await attempt({ name: 'S9999', password: 'wrong-password-1' }),
    ]
    for (const { html } of [wrong, unknown]) expect(html).toContain('用户名或密码不正确')
    expect((await attempt({ name: 'S0045', password: PASSWORD })).status).toBe(303)
  })

  it('asks for a verification code after three failures, and says 验证码格式不正确 for a wrongly formed one (R282)', async () => {
    for (let count = 0; count < 3; count += 1) await attempt({ name: 'S0042', password: 'wrong-password-1' })
    const asked = await attempt({ name: 'S0042', password: PASSWORD })
    expect(asked.status).toBe(200)
    expect(asked.html).toContain('验证码格式不正确')
    const id = hiddenField(asked.html, 'verificationId')
    expect(asked.html).toContain(`/dcode?id=${id}`)
    const image = await fetch(`${test.base}/dcode?id=${id}`)
    expect(image.headers.get('content-type')).toBe('image/png')
    expect(await image.text()).not.toMatch(/<text|<script|<path/)
    expect((await attempt({ name: 'S0042', password: PASSWORD, verificationId: id, verification: 'AAAA' })).html).toContain(
      '验证码不正确',
    )
    expect((await attempt({ name: 'S0042', password: PASSWORD, verificationId: id, verification: 'ab' })).html).toContain(
      '验证码格式不正确',
    )
    test.clock.forward(901)
    expect((await attempt({ name: 'S0042', password: PASSWORD })).status).toBe(303)
  })

  const hold = async (subject: string, count: number) => {
    const until = new Date(test.clock.now().getTime() + 600_000).toISOString()
    await test.gateway.database.query(
      `insert into auth_failure (subject, count, window_ends_at, held_until) values ($1, $2, $3, $3)
       on conflict (subject) do update set count = $2, window_ends_at = $3, held_until = $3`,
      [subject, count, until],
    )
  }
  /** With the verification code that is asked for by now; the test knows its answer. */
  const attemptWithCode = async (fields: Record<string, string>) => {
    await test.gateway.database.query(
      'insert into auth_verification (id, answer_hash, expires_at) values ($1, $2, $3) on conflict (id) do nothing',
      ['known-code', hashOf('known-code:A2C4'), new Date(test.clock.now().getTime() + 60_000).toISOString()],
    )
    return attempt({ ...fields, verificationId: 'known-code', verification: 'a2c4' })
  }

  it('takes no further attempt for a person from one address after ten failures, with 429, until the window ends', async () => {
    await hold('place:li 127.0.0.1', 10)
    const refused = await attemptWithCode({ name: 'S0043', password: PASSWORD })
    expect(refused.status).toBe(429)
    expect(refused.html).toContain('10 分钟后再试')
    expect((await attemptWithCode({ name: 'LI@example.com', password: PASSWORD })).status).toBe(429)
    test.clock.forward(601)
    expect((await attempt({ name: 'S0043', password: PASSWORD })).status).toBe(303)
  })

  it('limits failures by address, whatever the names are', async () => {
    await hold('ip:127.0.0.1', 200)
    expect((await attemptWithCode({ name: 'S0044', password: PASSWORD })).status).toBe(429)
    test.clock.forward(901)
  })
})

describe('changing the password', () => {
  it('keeps this session, ends the others, and the old password is worth nothing', async () => {
    const [mine, other] = [await test.signIn('S0044'), await test.signIn('S0044')]
    const changed = await change(mine, PASSWORD, 'another-secret-9')
    expect([changed.code, changed.data.ended]).toEqual([0, 1])
    expect((await mine.get('/v2/sys/staff/overseas/getUserInfo')).code).toBe(0)
    expect((await other.get('/v2/sys/staff/overseas/getUserInfo')).code).toBe(11015)
    expect((await attempt({ name: 'S0044', password: PASSWORD })).html).toContain('用户名或密码不正确')
    expect((await attempt({ name: 'S0044', password: 'another-secret-9' })).status).toBe(303)
  })

  it('refuses a wrong old password, and weak, equal or personal new ones on their field', async () => {
    const caller = await test.signIn('S0045')
    expect((await change(caller, 'not-the-old-1', 'another-secret-9')).code).toBe(10020001)
    for (const weak of [
      'short1',
      'onlyletters',
      '12345678901',
      PASSWORD,
      'abcS0045xyz',
      'has space 12',
      'password',
      `1a${'x'.repeat(63)}`,
    ]) {
      const answer = await change(caller, PASSWORD, weak)
      expect([weak, answer.code, answer.data.errors?.[0]?.field]).toEqual([weak, 10010005, 'newPassword'])
    }
    expect((await change(caller, PASSWORD, 'x'.repeat(201))).code).toBe(10010001)
  })

  it('refuses the last five passwords, and takes the one before them again', async () => {
    await test.addStaff({ id: 'qian', jobNumber: 'S0046' })
    const caller = await test.signIn('S0046')
    const chosen = [PASSWORD, ...['blue', 'green', 'amber', 'violet', 'ochre'].map((colour) => `${colour}-teapot-41`)]
    for (const [at, next] of chosen.slice(1).entries()) {
      test.clock.forward(1)
      expect((await change(caller, chosen[at]!, next)).code).toBe(0)
    }
    const again = await change(caller, chosen.at(-1)!, chosen[1]!)
    expect([again.code, again.msg]).toEqual([10010005, expect.stringContaining('最近 5 次')])
    expect((await change(caller, chosen.at(-1)!, PASSWORD)).code).toBe(0)
  })

  it('stops guessing of the old password', async () => {
    const caller = await test.signIn('S0045')
    const codes: number[] = []
    for (let count = 0; count < 11; count += 1)
      codes.push((await change(caller, `guess-number-${count}`, 'another-secret-9')).code)
    expect(codes.slice(0, 9)).toEqual(Array.from({ length: 9 }, () => 10020001))
    expect(codes.at(-1)).toBe(10010011)
    test.clock.forward(901)
  })
})

describe('one-time passwords', () => {
  it('lead to a page that wants a password of one’s own before anything else', async () => {
    const { sessions, database } = test.gateway
    await sessions.setPassword(database, ['sun'], 'one-time-77', new Date(test.clock.now().getTime() + 3_600_000))
    const asked = await attempt({ name: 'S0045', password: 'one-time-77' })
    expect(asked.status).toBe(200)
    const proof = hiddenField(asked.html, 'proof')
    const choose = (password: string, repeat: string) =>
      fetch(`${test.base}/auth/identity/new-password`, {
        method: 'POST',
        body: new URLSearchParams({ proof, password, repeat }),
        redirect: 'manual',
      })
    expect(await (await choose('weak', 'weak')).text()).toContain('12 至 64')
    expect(await (await choose('my-own-secret-5', 'different-5')).text()).toContain('不一致')
    const entered = await choose('my-own-secret-5', 'my-own-secret-5')
    expect(entered.status).toBe(303)
    expect(codeFrom(entered).code).not.toBe('')
    expect((await choose('yet-another-55', 'yet-another-55')).status).toBe(400)
    expect((await attempt({ name: 'S0045', password: 'my-own-secret-5' })).status).toBe(303)
  })

  it('expire', async () => {
    const { sessions, database } = test.gateway
    await sessions.setPassword(database, ['sun'], 'one-time-78', new Date(test.clock.now().getTime() + 60_000))
    test.clock.forward(61)
    expect((await attempt({ name: 'S0045', password: 'one-time-78' })).html).toContain('一次性密码已过期')
  })
})

describe('people who may not enter', () => {
  it('cannot sign in once they are disabled or left, and their sessions end', async () => {
    const { database, directory } = test.gateway
    const caller = await test.signIn('S0043')
    await database.query(`update sys_staff set sign_in_disabled = true where id = 'li'`)
    directory.forget('li')
    expect((await caller.get('/v2/sys/staff/overseas/getUserInfo')).code).toBe(11015)
    expect((await attempt({ name: 'S0043', password: PASSWORD })).html).toContain('用户名或密码不正确')
  })
})
