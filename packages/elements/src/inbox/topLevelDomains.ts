/** Of countries, two letters each. */
const ofCountries =
  "adaeafagaialamanaoaqarasatauawaxazbabbbdbebfbgbhbibjblbmbnbobqbrbsbtbvbwbybzcacccdcfcgchcickclcmcncocrcucvcwcx" +
  "cyczdedjdkdmdodzeceeegehereseteufifjfkfmfofrgagbgdgegfggghgiglgmgngpgqgrgsgtgugwgyhkhmhnhrhthuidieiliminioiqir" +
  "isitjejmjojpkekgkhkikmknkpkrkwkykzlalblclilklrlsltlulvlymamcmdmemfmgmhmkmlmmmnmompmqmrmsmtmumvmwmxmymznancnenf" +
  "ngninlnonpnrnunzompapepfpgphpkplpmpnprpsptpwpyqarerorsrurwsasbscsdsesgshsisjskslsmsnsosrssstsusvsxsysztctdtftg" +
  "thtjtktltmtntotptrtttvtwtzuaugukumusuyuzvavcvevgvivnvuwfwsyeytzazmzw"

/** Of the others those that people link to; there are a thousand that hardly anybody does. */
const others =
  "academy aero africa agency amsterdam app art asia audio author auto baby band bank bar bayern beauty beer " +
  "berlin best bid bike bio biz black blog blue book boston boutique build business buzz cafe call capital car " +
  "care careers cars casa cash cat catering center charity chat cheap church city click clinic clothing cloud " +
  "club codes coffee college cologne com community company construction consulting cool coop courses credit " +
  "dance dating day deals delivery dental design dev digital direct directory discount doctor dog domains " +
  "download earth eco edu education email energy engineering enterprises estate events expert express faith " +
  "family farm fashion film finance financial fit fitness flights flowers fly food football foundation free fun " +
  "fund furniture gallery game games garden gift gifts global gmbh gold golf google gov gratis green group " +
  "guide guru hair hamburg haus health healthcare help here hockey holdings holiday homes horse hospital host " +
  "hosting hotels house how icu immo inc info ink insurance int international irish istanbul jetzt jewelry jobs " +
  "kaufen kitchen kiwi koeln land law lawyer legal life like link live llc loan loans lol london love ltd " +
  "makeup man market marketing media melbourne miami mil mobi moda moe money moscow museum name net network new " +
  "news next ninja now nyc off one online ooo open org page paris partners party pet pharmacy photo photography " +
  "photos pink pizza place play plus press pro properties pub quebec read recipes red reisen rentals report " +
  "restaurant review reviews rocks ruhr run saarland sale save school science scot search services shoes shop " +
  "shopping show site ski skin soccer social software solar solutions space sport store studio study style " +
  "supplies supply support surf swiss sydney systems talk tax taxi team tech tel tennis theater tickets tienda " +
  "today tokyo tools top tours toys training travel university vacations vegas ventures versicherung vet viajes " +
  "video vip wales watch weather website wedding wien wiki win wine work works world wtf xyz yoga you youtube " +
  "zone"

const known = new Set([...(ofCountries.match(/../g) ?? []), ...others.split(" ")])

/** Whether a name with this at its end is an address without being written as one. */
export const isTopLevelDomain = (name: string): boolean => known.has(name.toLowerCase())
