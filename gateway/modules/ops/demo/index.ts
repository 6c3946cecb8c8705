import type { DemoPart } from '../../../demo'
import { openChapter } from './chapter'
import { makeSms } from './sms'
import { makeTools } from './tools'
import { makeVoice } from './voice'

/** In the order in which they refer to one another. */
const FILLED = [
  'numberSource',
  'smsTestNumber',
  'testBlack',
  'numberAlarm',
  'cycleTest',
  'smsTestBatch',
  'smsTest',
  'numberPool',
  'voiceSource',
  'voiceTest',
  'groupCallTask',
  'talkHistory',
  'voiceTimeTask',
  'captureTask',
  'mediaCapture',
  'shortLinkGroup',
  'shortLinkWhite',
  'shortLink',
  'ccSmsTemplate',
  'apiCall',
  'cardQueue',
  'channelResource',
]

/** What operations of the demo company tested, watch over and keep. */
export const opsDemo: DemoPart = {
  make(world) {
    for (const entity of FILLED) world.rows[`ops.${entity}`] = []
    const chapter = openChapter(world)
    makeSms(chapter)
    makeVoice(chapter)
    makeTools(chapter)
  },
  coded: [
    'ops.smsTest',
    'ops.smsTestBatch',
    'ops.voiceTest',
    'ops.groupCallTask',
    'ops.talkHistory',
    'ops.captureTask',
    'ops.mediaCapture',
    'ops.shortLink',
    'ops.channelResource',
  ],
}
