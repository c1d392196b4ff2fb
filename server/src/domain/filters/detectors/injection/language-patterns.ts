import { anyOf } from '../alternatives.ts'
import type { OrderPattern } from './order-pattern.ts'

/** A language with the word order verb, qualifiers, noun, in which qualifiers may also follow the noun. */
interface Language {
  readonly ignore: string
  /** Filler words, and words that mark instructions as the model's own. */
  readonly filler: string
  readonly bound: string
  readonly order: string
  readonly boundAfter: string
  readonly reveal: string
  readonly systemPrompt: string
}

const languages: readonly Language[] = [
  {
    ignore:
      'ignorier\\p{L}*, vergiss, vergesst, vergessen sie, missachte\\p{L}*, überschreib\\p{L}*, verwirf, umgeh\\p{L}*, befolge?n?(?: sie)? nicht(?: mehr)?, beachte?n?(?: sie)? nicht(?: mehr)?, setze? dich über, ignoriert, halte dich nicht(?: mehr)? an, lösche?, hör auf',
    filler:
      'die, den, das, der, von, aller, dir, dich, bitte, jetzt, sofort, nun, dein gegebenen, gegebenen, oben genannten, und, hinweg',
    bound:
      'alle, allen, sämtliche\\p{L}*, jegliche\\p{L}*, deine\\p{L}*, ihre\\p{L}*, bisherige\\p{L}*, vorherige\\p{L}*, vorige\\p{L}*, obige\\p{L}*, frühere\\p{L}*, vorangegangene\\p{L}*, vorausgehende\\p{L}*, ursprüngliche\\p{L}*, bestehende\\p{L}*, eigenen, internen',
    order:
      'anweisung\\p{L}*, instruktion\\p{L}*, regeln, vorgaben, richtlinien, befehle?n?, prompts?, system-?prompts?, anleitungen, einschränkungen, beschränkungen, sicherheitsrichtlinien, programmierung, systemanweisung\\p{L}*',
    boundAfter: '',
    reveal:
      'zeige?n?, verrat\\p{L}*, nenne?n?, gib, gebe?n?, drucke?, wiederhol\\p{L}*, offenbare?n?, enthülle?n?, schreibe?n?, sag\\p{L}*, teile?, wie lautet, was steht in, was ist, zitiere?n?, wie lauten, was sind',
    systemPrompt:
      'system-?prompts?, systemnachricht, systemanweisung\\p{L}*, (?:ursprünglichen?|geheimen?|internen?|versteckten?) (?:anweisungen|instruktionen|prompt|regeln), anfangs-?(?:anweisungen|prompt)',
  },
  {
    ignore:
      'ignore[zr]?, ignores, oublie[zr]?, néglige[zr]?, ne (?:tiens|tenez) (?:pas|plus) compte d\\p{L}*, tiens (?:pas|plus) compte d\\p{L}*, fai[st]e?s? abstraction d\\p{L}*, passe[zr]? outre, contourne[zr]?, outrepasse[zr]?, ne (?:suis|suivez|respecte[zr]?) (?:pas|plus), désobéis\\p{L}* à, annule[zr]?, abandonne[zr]?, écarte[zr]?',
    filler: 'les, la, le, des, de, du, d.une?, l.ensemble, qui, t.ont, été, à, aux, ces, cette, mes',
    bound:
      'toutes?, tous, tes, vos, ton, votre, précédentes?, précédents, antérieures?, anciennes, initiales, l.intégralité',
    order:
      'instructions?, consignes?, règles, directives?, ordres, restrictions, limitations, prompts?, indications, contraintes',
    boundAfter:
      'précédentes?, précédents, antérieures?, antérieurs, ci-dessus, initiales?, d.origine, du système, système, reçues?(?: jusqu.ici)?, données (?:avant|précédemment|plus haut), qui (?:t.ont|vous ont) été données, de sécurité',
    reveal:
      'montre[zr]?, révèle[zr]?, révéler, affiche[zr]?, donne[zr]?, répète[zr]?, répéter, dis, dites, imprime[zr]?, divulgue[zr]?, écri[st]?, écrivez, quel est, quelles sont, partage[zr]?, recopie[zr]?, communique[zr]?',
    systemPrompt:
      'prompt (?:du )?syst[èe]me, invite (?:du )?syst[èe]me, prompt (?:initial|caché|secret|d.origine), instructions? (?:syst[èe]me|du syst[èe]me|initiales?|cachées?|secrètes?|d.origine|internes?), message (?:du )?syst[èe]me',
  },
  {
    ignore:
      'ignora[dr]?, ignore[ns]?, olvid[ae]\\p{L}*, descarta[r]?, haz caso omiso (?:de|a), haga caso omiso (?:de|a), no (?:sigas|siga|hagas caso (?:de|a)|obedezcas|respetes), omite, desobedece, anula, saltate, sáltate, pasa por alto, prescinde de, deja de (?:seguir|obedecer), borra, elude',
    filler: 'las, los, la, el, de, del, lo, que, te, han, dado, estas, esas, y, a, cualquier, cualesquiera',
    bound: 'todas?, todos?, tus, sus, tu, anteriores, previas, previos, iniciales, originales, propias',
    order:
      'instrucci[oó]n\\p{L}*, reglas, directrices, indicaciones, [oó]rdenes, normas, restricciones, prompts?, pautas, directivas, limitaciones, pol[ií]ticas',
    boundAfter:
      'anteriores?, previas?, previos?, iniciales, precedentes, del sistema, de sistema, recibidas(?: hasta ahora)?, de arriba, que (?:te|le) (?:dieron|han dado|hayan dado), que recibiste(?: antes)?, originales, dadas(?: anteriormente| antes)?, de seguridad',
    reveal:
      'muestra\\p{L}*, muéstra\\p{L}*, muestre\\p{L}*, revela\\p{L}*, revele\\p{L}*, imprime, escribe, dime, digame, dígame, repite, repita, ense[ñn]a\\p{L}*, dame, cual es, cuál es, cuales son, cuáles son, divulga, comparte, copia, expón',
    systemPrompt:
      'prompt (?:del? )?sistema, prompt (?:inicial|oculto|secreto|original), instrucciones (?:del? sistema|iniciales|ocultas|secretas|originales|internas), mensaje (?:del? )?sistema, indicaciones del sistema',
  },
  {
    ignore:
      'ignore[mr]?, ignora[r]?, esqueç\\p{L}+, esquece, desconsider[ea]\\p{L}*, descarte, descarta, não (?:siga|sigas|obedeça|respeite), desobedeça, anule, pare de seguir, apague, contorne, deixe de lado',
    filler: 'as, os, a, o, de, do, da, das, que, lhe, te, foram, dadas, essas, estas, e, quaisquer, qualquer',
    bound: 'todas?, todos?, suas, tuas, seus, anteriores, pr[ée]vias, iniciais, originais',
    order:
      'instruç\\p{L}+, regras, diretrizes, orientações, ordens, comandos, restrições, prompts?, diretivas, limitações, políticas',
    boundAfter:
      'anteriores?, pr[ée]vias?, pr[ée]vios?, iniciais, do sistema, de sistema, acima, originais, recebidas(?: até agora)?, que (?:você|te|lhe) (?:recebeu|deram|foram dadas), dadas (?:antes|anteriormente), de segurança',
    reveal:
      'mostre\\p{L}*, mostra\\p{L}*, revele\\p{L}*, revela, imprima, escreva, diga(?:-me)?, repita, exiba, qual é(?: o)?, quais são, compartilhe, divulgue, me (?:mostre|diga|dê), dê(?:-me)?',
    systemPrompt:
      'prompt (?:do|de) sistema, prompt (?:inicial|oculto|secreto|original), instruções (?:do sistema|de sistema|iniciais|ocultas|secretas|originais|internas), mensagem (?:do|de) sistema',
  },
  {
    ignore:
      'ignora(?:te|re)?, ignori, dimentica\\p{L}*, trascura\\p{L}*, scarta\\p{L}*, non (?:seguire|segua|tenere conto|rispettare|considerare)(?: più)?, disattendi, annulla, aggira\\p{L}*, disobbedisci a, tralascia, cancella',
    filler: 'le, i, gli, la, il, di, del, delle, dei, che, ti, sono, state, date, queste, e, a',
    bound: 'tutte, tutti, tue, tuoi, sue, precedenti, iniziali, originali, ogni',
    order:
      'istruzion[ei], regole, regola, direttive, indicazioni, ordini, linee guida, restrizioni, prompt, comandi, limitazioni, vincoli',
    boundAfter:
      'precedent[ei], iniziali, di sistema, del sistema, sopra(?: riportate)?, ricevut[ei](?: finora)?, originali, che (?:ti|hai) (?:sono state date|ricevuto), date (?:prima|in precedenza), di sicurezza',
    reveal:
      'mostra\\p{L}*, rivela\\p{L}*, stampa, scrivi\\p{L}*, dimmi, ripeti, dammi, qual è, quali sono, condividi, riporta, svela\\p{L}*, visualizza',
    systemPrompt:
      'prompt (?:di|del) sistema, prompt (?:iniziale|nascosto|segreto|originale), istruzioni (?:di sistema|del sistema|iniziali|nascoste|segrete|originali|interne), messaggio (?:di|del) sistema',
  },
  {
    ignore:
      'negeer, negeren, vergeet, omzeil, sla, volg(?: je)? niet(?: meer)?, verwerp, overschrijf, schrap, gehoorzaam niet, wis, leg',
    filler: 'de, het, van, die, deze, dit, nu, gegeven, en, aan jou, u',
    bound: 'alle, al, je, jouw, uw, eerdere, vorige, voorgaande, bovenstaande, oorspronkelijke, huidige, ingebouwde',
    order:
      'instructies?, aanwijzingen, regels, richtlijnen, opdrachten, prompts?, beperkingen, systeem-?prompt, bevelen',
    boundAfter: 'hierboven, van hiervoor, die je (?:hebt|eerder) \\p{L}+',
    reveal: 'toon, laat, geef, herhaal, onthul, print, schrijf, vertel, wat is, wat zijn, deel, druk',
    systemPrompt:
      'systeem-?\\s?prompt, system prompt, systeembericht, systeeminstructies?, (?:oorspronkelijke|geheime|verborgen|interne) (?:instructies|prompt|regels)',
  },
  {
    ignore:
      'zignoruj\\p{L}*, ignoruj\\p{L}*, zapomnij(?: o)?, pomiń, odrzuć, nie (?:stosuj|przestrzegaj|wykonuj)(?: się)?(?: do)?, obejdź, porzuć, unieważnij, zlekceważ, usuń',
    filler: 'o, te, tych, się, do, ze, z, i',
    bound:
      'wszystki\\p{L}+, wszelki\\p{L}+, swoi\\p{L}+, swoje, twoje, poprzedni\\p{L}+, wcześniejsz\\p{L}+, powyższ\\p{L}+, dotychczasow\\p{L}+, systemow\\p{L}+, pierwotn\\p{L}+',
    order:
      'instrukcj\\p{L}+, polece\\p{L}+, zasad\\p{L}*, wytyczn\\p{L}+, regu\\p{L}+, ogranicze\\p{L}+, prompt\\p{L}*, rozkaz\\p{L}*',
    boundAfter: 'systemow\\p{L}+, powyżej, z góry',
    reveal: 'pokaż, ujawnij, wypisz, wyświetl, podaj, powtórz, napisz, jaki jest, zdradź, jakie są',
    systemPrompt:
      'prompt\\p{L}* systemow\\p{L}+, systemow\\p{L}+ prompt\\p{L}*, instrukcj\\p{L}+ systemow\\p{L}+, (?:ukryt\\p{L}+|tajn\\p{L}+|pierwotn\\p{L}+|początkow\\p{L}+) (?:instrukcj\\p{L}+|prompt\\p{L}*)',
  },
  {
    ignore:
      'игнорируй\\p{L}*, проигнорируй\\p{L}*, забудь\\p{L}*(?: про| о| об)?, не обращай\\p{L}* внимания на, отмени\\p{L}*, отбрось\\p{L}*, не следуй\\p{L}*, обойди\\p{L}*, пренебреги\\p{L}*, не выполняй\\p{L}*, нарушь, перестань следовать, сбрось, удали',
    filler: 'на, о, об, обо, эти, данные, тебе, вам, про, и, которые, были',
    bound:
      'все, всех, всем, всеми, свои\\p{L}*, твои\\p{L}*, предыдущи\\p{L}+, прежни\\p{L}+, прошл\\p{L}+, вышеуказанн\\p{L}+, вышеперечисленн\\p{L}+, системн\\p{L}+, начальн\\p{L}+, исходн\\p{L}+, любые, первоначальн\\p{L}+',
    order:
      'инструкци\\p{L}+, указани\\p{L}+, правил\\p{L}*, команд\\p{L}*, ограничени\\p{L}+, промпт\\p{L}*, директив\\p{L}*, установк\\p{L}+, приказ\\p{L}*',
    boundAfter: 'выше, данные (?:ранее|выше|тебе), полученные (?:ранее|до этого)',
    reveal:
      'покажи\\p{L}*, раскрой\\p{L}*, выведи\\p{L}*, напечатай\\p{L}*, повтори\\p{L}*, назови\\p{L}*, скажи\\p{L}*, напиши\\p{L}*, какой, какие, выдай\\p{L}*, процитируй\\p{L}*',
    systemPrompt:
      'системн\\p{L}+ (?:промпт|подсказк|инструкци|сообщени|запрос)\\p{L}*, (?:исходн|скрыт|начальн|секретн|первоначальн)\\p{L}+ (?:промпт|инструкци|указани)\\p{L}*',
  },
  {
    ignore:
      'abaikan, lupakan, hiraukan, jangan ikuti, langgar, bỏ qua, phớt lờ, hãy quên, quên, không tuân theo, đừng tuân theo, đừng làm theo',
    filler: 'yang, ini, itu, telah, diberikan, các, những, đã, và',
    bound: 'semua, seluruh, segala, tất cả, mọi, toàn bộ, hết',
    order:
      'instruksi, perintah, aturan, arahan, petunjuk, pedoman, batasan, prompt, hướng dẫn, chỉ dẫn, chỉ thị, mệnh lệnh, lệnh, quy tắc, quy định',
    boundAfter:
      'sebelumnya, di atas, sistem, awal, anda, -?mu, trước(?: đó| đây)?, ở trên, trên đây, ban đầu, hệ thống, của bạn',
    reveal:
      'tunjukkan, tampilkan, ungkapkan, cetak, ulangi, berikan, apa, hiển thị, tiết lộ, in ra, cho tôi (?:xem|biết), lặp lại',
    systemPrompt:
      'prompt sistem, instruksi sistem(?: anda)?, instruksi (?:awal|rahasia|tersembunyi), prompt (?:hệ thống|ban đầu), (?:lời nhắc|hướng dẫn|câu lệnh) hệ thống',
  },
]

/** Words for any prompt in general, or a negation. */
const notYours = anyOf(
  'eine?[nrsm]?, une?, uno, una, uma?, een, jakiś, jamais, pas, nie, niemals, nicht, nunca, no, mai, nooit, niet, nigdy, никогда, не',
)

function patternsOf(language: Language): OrderPattern[] {
  const filler = anyOf(language.filler)
  const bound = anyOf(language.bound)
  const order = anyOf(language.order)
  const { ignore, reveal } = language
  const patterns = [
    {
      start: ignore,
      rest: ` +(?:(?:${filler}|${bound}) +){0,4}${bound} +(?:(?:${filler}|${bound}) +){0,4}${order}(?![\\p{L}-])`,
    },
    { start: reveal, rest: ` +(?:(?!${notYours}\\b)[\\p{L}'-]+ +){0,6}?${anyOf(language.systemPrompt)}(?!\\p{L})` },
  ]
  if (language.boundAfter === '') return patterns
  const rest = ` +(?:(?:${filler}|${bound}) +){0,5}${order} +(?:${filler} +)?${anyOf(language.boundAfter)}(?!\\p{L})`
  return [...patterns, { start: ignore, rest }]
}

/** Languages with spaces between words and the verb first. */
export const languagePatterns: readonly OrderPattern[] = languages.flatMap(patternsOf)

/** A language with the verb last, or without spaces. Its patterns run over the whole text if the language occurs. */
interface LooseLanguage {
  readonly sign: RegExp
  readonly patterns: readonly RegExp[]
}

export const looseLanguages: readonly LooseLanguage[] = [
  // Turkish.
  loose(/talimat|yönerge|kural|komut|istem|direktif/u, [
    '(?<!\\p{L})(?:(?:önceki|yukarıdaki|tüm|bütün|daha önceki|sistem|mevcut|sana verilen|verilen|kendi) +){1,4}(?:talimat|yönerge|kural|komut|istem|prompt|direktif)\\p{L}* +(?:tamamen +|hemen +|artık +|lütfen +)?(?:yok say|görmezden gel|unut|dikkate alma|göz ardı et|çiğne|boş ver|geçersiz say|uyma)\\p{L}*',
    '(?<!\\p{L})sistem (?:istem|prompt|komut|talimat)\\p{L}* +(?:tamamen +|bana +|aynen +)?(?:göster|yazdır|açıkla|söyle|yaz|tekrarla|paylaş|ifşa et)\\p{L}*',
  ]),
  // Chinese.
  loose(/\p{sc=Han}/u, [
    '(?:忽略|无视|無視|忘记|忘記|忘掉|不要理会|不要遵守|不再遵守|不用遵守|不必遵守|绕过|繞過|抛弃|拋棄|放弃|跳过|推翻|违反|取消)(?:掉|了|你|您|的|给|給|收到|得到|过|過|那些|这些|這些)*(?:所有|之前|以前|先前|上述|上面|以上|前面|此前|全部|任何|一切|系统|系統|原来|原有|原本|初始|最初|你|您)(?:所有|之前|以前|先前|上述|上面|以上|前面|此前|全部|任何|一切|的|你|您|系统|系統|原来|原有|给你|給你|收到|设定|設定|安全|内容|內容|对话|說|说|那些|这些){0,10}(?:指令|指示|提示词|提示詞|提示|规则|規則|命令|限制|约束|約束|指引|准则|準則|规定|規定)',
    '(?:显示|顯示|告诉我|告訴我|输出|輸出|透露|泄露|洩露|打印|列出|重复|重複|复述|公开|展示|给我看|說出|说出|发给我)(?:一下|出|你|您|的|完整|全部|所有|原始|当前|內部|内部|隐藏|隱藏|初始){0,8}(?:系统提示|系統提示|系统指令|系統指令|系统消息|初始指令|初始提示|隐藏指令|提示词|提示詞)',
    '(?:你|您)(?:的)?(?:完整|原始|初始|隐藏|隱藏){0,2}(?:系统提示|系統提示|系统指令|初始指令)(?:词|詞)?(?:是什么|是什麼|是啥|有哪些|内容)',
    '(?:你现在|从现在开始|從現在開始|现在你|你將|你将)(?:，|,)?[^。！？\\n]{0,20}(?:没有任何|沒有任何|不受任何|不受|无|無视|摆脱)[^。！？\\n]{0,8}(?:限制|约束|約束|规则|規則|审查|審查|过滤)',
  ]),
  // Japanese.
  loose(/[\p{sc=Hiragana}\p{sc=Katakana}]/u, [
    '(?:以前|これまで|今まで|上記|前|先ほど|さっき|過去|全て|すべて|全部|あなた|システム|元|最初|従来|既存)(?:の|に|まで|された|与えられた|受け取った|出された|すべて|全て|全部|、|上記|前|システム|安全|内部|あらゆる){0,8}(?:指示|命令|ルール|プロンプト|規則|制約|制限|ガイドライン|指令)(?:を|は|なんて)(?:すべて|全て|一切|完全に|今すぐ|、){0,3}(?:無視|忘れ|破棄|無効|取り消|なかったことに|リセット|従わな|守らな|上書き)',
    '(?:システムプロンプト|システムメッセージ|初期(?:の)?(?:指示|プロンプト)|隠された(?:指示|プロンプト)|内部(?:の)?指示)(?:の)?(?:全文|内容|すべて|全て)?(?:を)(?:そのまま|すべて|全て|一字一句|私に|正確に){0,2}(?:表示|出力|教え|見せ|開示|公開|書き出|繰り返|示し|明かし|印刷|共有)',
    '(?:制限|制約|規制|フィルター|検閲|倫理|ルール)(?:の|が)?(?:一切)?(?:ない|無い|なし|外れた)(?:ai|モデル|アシスタント|人工知能)(?:として|に(?:なっ|なり))',
  ]),
  // Korean.
  loose(/\p{sc=Hangul}/u, [
    '(?:이전|위|앞|지금까지|기존|모든|시스템|당신의|너의|네|원래|앞선|이전까지|받은)(?:의|에|에서| |모든|받은|주어진|내린|준|시스템|안전|,|전의|까지){0,10}(?:지시|지침|명령|규칙|프롬프트|제한|가이드라인|제약)\\p{L}{0,4} *(?:모두|전부|다|완전히|전혀|싹)? *(?:무시|잊어|잊고|따르지 ?(?:마|말)|무효|삭제해|초기화|어기)',
    '(?:시스템 ?프롬프트|시스템 ?메시지|초기 ?(?:지시|프롬프트|지침)|숨겨진 ?(?:지시|프롬프트)|시스템 ?(?:지침|지시))\\p{L}{0,6} *(?:전체|모두|전부|그대로|내용을|나에게|내게)? *(?:그대로|나에게|내게)? *(?:보여|출력|알려|공개|말해|반복|적어|유출|표시)',
  ]),
  // Arabic.
  loose(/\p{sc=Arabic}/u, [
    '(?<!\\p{L})(?:تجاهل|تجاهلي|تجاهلوا|انس|انسى|تخط|تخطى|لا تتبع|أهمل|اهمل|تجاوز|الغ|ألغ)\\p{M}* +(?:(?:كل|جميع|كافة|هذه|تلك|أي|أية) +){0,2}(?:ال)?(?:تعليمات|أوامر|اوامر|قواعد|إرشادات|ارشادات|توجيهات|قيود|تعليماتك)\\p{L}*(?: +(?:السابقة|سابقة|أعلاه|اعلاه|الأصلية|المذكورة|الخاصة بك|التي تلقيتها|الأولية|النظام))',
    '(?<!\\p{L})(?:تجاهل|تجاهلي|انس|أهمل|تجاوز)\\p{M}* +(?:كل|جميع|كافة) +(?:ال)?(?:تعليمات|أوامر|اوامر|قواعد|إرشادات|قيود)\\p{L}*',
    '(?<!\\p{L})(?:اكشف|أظهر|اظهر|اعرض|اطبع|أخبرني|كرر|اكتب|ما هي|ما هو)\\p{L}* +(?:(?:لي|عن|كامل|نص|كل|محتوى) +){0,3}(?:موجه النظام|تعليمات النظام|رسالة النظام|التعليمات (?:الأصلية|السرية|المخفية|الأولية)|موجه النظام الخاص بك|تعليماتك (?:الأصلية|السرية|الأولية))',
  ]),
  // Hindi.
  loose(/\p{sc=Devanagari}/u, [
    '(?:पिछले|पिछली|पहले के|उपरोक्त|सभी|सारे|अपने|पूर्व|ऊपर के|दिए गए)(?:[\\p{L}\\p{M}]+| ){0,8}?(?:निर्देश|नियम|आदेश|अनुदेश)[\\p{L}\\p{M}]* *(?:को|की|का)? *(?:पूरी तरह)? *(?:अनदेखा|नज़रअंदाज़|नजरअंदाज|भूल|उपेक्षा|अनदेखी|नज़रअंदाज)',
    '(?:सिस्टम प्रॉम्प्ट|सिस्टम प्रोम्प्ट|सिस्टम निर्देश|छिपे हुए निर्देश|मूल निर्देश)[\\p{L}\\p{M}]* *(?:को|मुझे|पूरा)? *(?:मुझे|पूरा)? *(?:दिखा|बता|प्रिंट|दोहरा|प्रकट|लिख)',
  ]),
]

function loose(sign: RegExp, sources: readonly string[]): LooseLanguage {
  return { sign, patterns: sources.map((source) => new RegExp(source, 'gu')) }
}
