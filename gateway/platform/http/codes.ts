import type { Text } from './text'

interface CodeEntry {
  code: number
  /** HTTP status of the answer; 200 for business refusals. */
  status: number
  /** What people read when the thrower says nothing more exact. */
  message: Text
}

/** Every answer code of the gateway (docs/calls.md, "The envelope"; the specification's own codes keep their meaning, R365-R373). */
export const codes = {
  sessionEnded: {
    code: 11015,
    status: 401,
    message: {
      zh: '会话已结束：已在别处退出，或账号已停用。请重新登录。',
      en: 'The session has ended: it was signed out elsewhere, or the account was disabled. Please sign in again.',
    },
  },
  tokenInvalid: {
    code: 11008,
    status: 401,
    message: { zh: '登录凭证无效或已过期，请重新登录。', en: 'The token is not valid or has expired. Please sign in again.' },
  },
  refreshInvalid: {
    code: 100200,
    status: 401,
    message: { zh: '刷新凭证已失效，请重新登录。', en: 'The refresh token is not valid any more. Please sign in again.' },
  },
  badRequest: {
    code: 10010001,
    status: 200,
    message: {
      zh: '请求的格式不正确，请检查后重试。',
      en: 'The shape of the request is not right. Please check it and try again.',
    },
  },
  noPermission: {
    code: 10010003,
    status: 200,
    message: { zh: '暂无权限，请联系管理员', en: 'You have no permission for this. Please ask an administrator.' },
  },
  notFound: {
    code: 10010004,
    status: 200,
    message: { zh: '记录不存在，或不在您的可见范围内。', en: 'This record does not exist, or it is outside what you may see.' },
  },
  noAddress: {
    code: 10010004,
    status: 404,
    message: {
      zh: '该地址不存在，请检查地址和请求方法。',
      en: 'There is nothing at this address. Please check the address and the method.',
    },
  },
  unknownHost: {
    code: 10010001,
    status: 421,
    message: {
      zh: '本网关不以这个地址（Host）提供服务。如果这是它的地址，请管理员把它写入 PUBLIC_URL。',
      en: 'This gateway is not known by this address (Host). If it is one of its own, an operator has to name it in PUBLIC_URL.',
    },
  },
  methodNotAllowed: {
    code: 10010001,
    status: 405,
    message: { zh: '该地址不支持这种请求方法。', en: 'This address does not answer this method.' },
  },
  unsupportedMedia: {
    code: 10010001,
    status: 415,
    message: {
      zh: '不支持这种请求内容类型，请使用 JSON 或 multipart。',
      en: 'This content type is not supported. Please send JSON or multipart.',
    },
  },
  bodyTooLarge: {
    code: 10010001,
    status: 413,
    message: {
      zh: '请求内容超过允许的大小，请减少后重试。',
      en: 'The request is larger than allowed. Please send less and try again.',
    },
  },
  validationFailed: {
    code: 10010005,
    status: 200,
    message: { zh: '有内容未通过校验，请按提示修改。', en: 'Some values did not pass the checks. Please correct them.' },
  },
  stale: {
    code: 10010006,
    status: 200,
    message: {
      zh: '其他人在此期间修改了这条记录，请查看变化后再保存。',
      en: 'Somebody else saved this record in between. Please look at the changes and save again.',
    },
  },
  transitionRefused: {
    code: 10010007,
    status: 200,
    message: { zh: '当前状态下不能执行此操作。', en: 'This is not possible in the present state.' },
  },
  uniqueTaken: {
    code: 10010008,
    status: 200,
    message: { zh: '该值已被占用，请换一个。', en: 'This value is taken. Please choose another one.' },
  },
  idempotenceMismatch: {
    code: 10010009,
    status: 200,
    message: {
      zh: '该幂等键已用于另一个请求，请重新获取后再提交。',
      en: 'This idempotence key was used with another payload. Please get a new key and submit again.',
    },
  },
  idempotenceRunning: {
    code: 10010010,
    status: 200,
    message: { zh: '相同的请求正在处理中，请稍候。', en: 'The same request is still running. Please wait a moment.' },
  },
  tooManyRequests: {
    code: 10010011,
    status: 429,
    message: { zh: '请求过于频繁，请稍后再试。', en: 'Too many requests. Please wait a moment and try again.' },
  },
  fileRefused: {
    code: 10010012,
    status: 200,
    message: {
      zh: '文件未被接受，请检查类型、大小和内容。',
      en: 'The file was refused. Please check its type, size and content.',
    },
  },
  importRefused: {
    code: 10010013,
    status: 200,
    message: { zh: '导入文件未被接受，请检查内容。', en: 'The import file was refused. Please check its content.' },
  },
  formChanged: {
    code: 10010014,
    status: 200,
    message: {
      zh: '这个表单在您填写期间有了新版本，请查看变化后再提交。',
      en: 'This form has changed since you opened it. Please look at the changes and submit again.',
    },
  },
  wrongCredentials: {
    code: 10020001,
    status: 200,
    message: { zh: '用户名或密码不正确。', en: 'The name or the password is wrong.' },
  },
  duplicateRecord: {
    code: 10030001,
    status: 200,
    message: { zh: '存在疑似重复的记录，请确认。', en: 'There are records that look the same. Please check them.' },
  },
  limitRefused: {
    code: 10030002,
    status: 200,
    message: { zh: '超出限制，操作未执行。', en: 'A limit refuses this; nothing was changed.' },
  },
  blacklisted: {
    code: 10030003,
    status: 200,
    message: { zh: '命中黑名单，操作未执行。', en: 'This is on the blacklist; nothing was changed.' },
  },
  emailMissing: {
    code: 10170036,
    status: 200,
    message: { zh: '尚未绑定邮箱账号。', en: 'No mailbox account is bound yet.' },
  },
  aliasChangeRunning: {
    code: 10050027,
    status: 200,
    message: {
      zh: '存在未完成的别名变更记录，操作被阻止，请等待其完成。',
      en: 'An alias change record is unfinished, so this is blocked. Please wait until it is done.',
    },
  },
  aliasTaken: {
    code: 10050016,
    status: 200,
    message: {
      zh: '申请别名已被占用，已生成新的别名，请再次点击确认。',
      en: 'The application alias is taken and a new one was generated. Please click confirm again.',
    },
  },
  applicationRunning: {
    code: 10060053,
    status: 200,
    message: { zh: '该对象有进行中的申请，不能执行。', en: 'An application for this is running; it cannot be executed.' },
  },
  heldByDocument: {
    code: 10060054,
    status: 200,
    message: { zh: '该对象被其他单据占用，不能执行。', en: 'Another document holds this; it cannot be executed.' },
  },
  alreadyPosted: {
    code: 10060058,
    status: 200,
    message: {
      zh: '已过账或期间已关闭，不能执行。',
      en: 'It is posted already, or the period is closed; it cannot be executed.',
    },
  },
  factsChanged: {
    code: 10060059,
    status: 200,
    message: {
      zh: '填写期间情况已发生变化，不能执行。',
      en: 'The facts have changed since the form was filled; it cannot be executed.',
    },
  },
  unavailable: {
    code: 10010099,
    status: 503,
    message: { zh: '服务暂不可用，请稍后重试。', en: 'The service is not available right now. Please try again shortly.' },
  },
  fault: {
    code: 10010099,
    status: 500,
    message: {
      zh: '网关出现故障，操作未完成。请重试；若仍失败，请把追踪号告诉管理员。',
      en: 'A fault in the gateway; the operation was not completed. Try again, or tell an administrator the trace id.',
    },
  },
} as const satisfies Record<string, CodeEntry>

/** Name of an answer code, e.g. `notFound`. */
export type CodeName = keyof typeof codes

/** The name of an answer code as schemas write it; the given one for a code that is none or absent. */
export const codeNamed = (code: number | undefined, otherwise: CodeName): CodeName =>
  (Object.keys(codes) as CodeName[]).find((name) => codes[name].code === code) ?? otherwise
