/**
 * Every NWS event type: event code | name | family | default severity | hazard rank base | NWS map colour | significance.
 * `-` = none. Codes are eventCode.NationalWeatherService (phenomenon + significance for VTEC products). Ranks: warnings by danger to
 * life, a watch is its warning less 250, advisories 200 to 300, statements about 150; each rank is used once so that the order is total.
 */
export const TYPES_TABLE = `
TOW|Tornado Warning|tornado|Extreme|900|#FF0000|W
EWW|Extreme Wind Warning|wind|Extreme|880|#FF8C00|W
TSW|Tsunami Warning|tsunami|Extreme|860|#FD6347|W
HUW|Hurricane Warning|tropical|Extreme|822|#DC143C|W
TYW|Typhoon Warning|tropical|Extreme|821|#DC143C|W
SSW|Storm Surge Warning|tropical|Extreme|820|#B524F7|W
EVI|Evacuation Immediate|civil|Extreme|790|#7FFF00|-
SPW|Shelter In Place Warning|civil|Extreme|780|#FA8072|-
NUW|Nuclear Power Plant Warning|civil|Extreme|770|#4B0082|-
RHW|Radiological Hazard Warning|civil|Extreme|765|#4B0082|-
HMW|Hazardous Materials Warning|civil|Extreme|760|#4B0082|-
EQW|Earthquake Warning|civil|Extreme|755|#8B4513|-
VOW|Volcano Warning|volcano|Extreme|750|#2F4F4F|-
CDW|Civil Danger Warning|civil|Extreme|740|#FFB6C1|-
FRW|Fire Warning|fire|Extreme|730|#A0522D|-
SVW|Severe Thunderstorm Warning|thunderstorm|Severe|700|#FFA500|W
FFW|Flash Flood Warning|flood|Severe|680|#8B0000|W
SQW|Snow Squall Warning|winter|Severe|660|#C71585|W
TOA|Tornado Watch|tornado|Extreme|650|#FFFF00|A
CEM|Civil Emergency Message|civil|Severe|640|#FFB6C1|-
-|Law Enforcement Warning|civil|Severe|630|#C0C0C0|-
LAE|Local Area Emergency|civil|Severe|620|#C0C0C0|-
TSA|Tsunami Watch|tsunami|Severe|610|#FF00FF|A
BZW|Blizzard Warning|winter|Extreme|601|#FF4500|W
ISW|Ice Storm Warning|winter|Extreme|600|#8B008B|W
TRW|Tropical Storm Warning|tropical|Severe|590|#B22222|W
DSW|Dust Storm Warning|wind|Severe|585|#FFE4C4|W
XHW|Extreme Heat Warning|heat|Severe|580|#C71585|W
EHW|Excessive Heat Warning|heat|Severe|579|#C71585|W
HUA|Hurricane Watch|tropical|Severe|572|#FF00FF|A
TYA|Typhoon Watch|tropical|Severe|571|#FF00FF|A
SSA|Storm Surge Watch|tropical|Severe|570|#DB7FF7|A
HWW|High Wind Warning|wind|Severe|565|#DAA520|W
WSW|Winter Storm Warning|winter|Severe|560|#FF69B4|W
ECW|Extreme Cold Warning|cold|Severe|550|#0000FF|W
WCW|Wind Chill Warning|cold|Severe|549|#B0C4DE|W
LEW|Lake Effect Snow Warning|winter|Severe|545|#008B8B|W
AVW|Avalanche Warning|winter|Severe|540|#1E90FF|-
FAW|Flood Warning|flood|Severe|520|#00FF00|W
CFW|Coastal Flood Warning|coastal|Severe|510|#228B22|W
LSW|Lakeshore Flood Warning|coastal|Severe|505|#228B22|W
FWW|Red Flag Warning|fire|Severe|500|#FF1493|W
AFW|Ashfall Warning|volcano|Severe|495|#A9A9A9|W
DUW|Blowing Dust Warning|wind|Severe|485|#FFE4C4|W
SVA|Severe Thunderstorm Watch|thunderstorm|Severe|450|#DB7093|A
SUW|High Surf Warning|coastal|Severe|435|#228B22|W
FFA|Flash Flood Watch|flood|Severe|430|#2E8B57|A
FZW|Freeze Warning|cold|Moderate|420|#483D8B|W
HZW|Hard Freeze Warning|cold|Moderate|415|#9400D3|W
HFW|Hurricane Force Wind Warning|marine|Severe|400|#CD5C5C|W
MAW|Special Marine Warning|marine|Severe|390|#FFA500|W
SRW|Storm Warning|marine|Severe|370|#9400D3|W
UPW|Heavy Freezing Spray Warning|marine|Severe|355|#00BFFF|W
ZYW|Heavy Freezing Spray Warning|marine|Severe|354|#00BFFF|W
BZA|Blizzard Watch|winter|Severe|351|#ADFF2F|A
GLW|Gale Warning|marine|Moderate|345|#DDA0DD|W
TRA|Tropical Storm Watch|tropical|Severe|340|#F08080|A
XHA|Extreme Heat Watch|heat|Severe|330|#800000|A
EHA|Excessive Heat Watch|heat|Severe|329|#800000|A
SEW|Hazardous Seas Warning|marine|Moderate|320|#D8BFD8|W
HWA|High Wind Watch|wind|Severe|315|#B8860B|A
WSA|Winter Storm Watch|winter|Severe|310|#4682B4|A
CAE|Child Abduction Emergency|civil|Severe|305|#FFFFFF|-
ECA|Extreme Cold Watch|cold|Severe|303|#5F9EA0|A
WCA|Wind Chill Watch|cold|Severe|302|#5F9EA0|A
TSY|Tsunami Advisory|tsunami|Severe|300|#D2691E|Y
LEA|Lake Effect Snow Watch|winter|Severe|295|#87CEFA|A
FFS|Flash Flood Statement|flood|Severe|293|#8B0000|S
SVS|Severe Weather Statement|thunderstorm|Severe|292|#00FFFF|S
BLU|Blue Alert|civil|Severe|291|#FFFFFF|-
AVA|Avalanche Watch|winter|Severe|290|#F4A460|-
WWY|Winter Weather Advisory|winter|Moderate|288|#7B68EE|Y
ZRY|Freezing Rain Advisory|winter|Moderate|287|#DA70D6|Y
ZFY|Freezing Fog Advisory|fog|Moderate|286|#008080|Y
LEY|Lake Effect Snow Advisory|winter|Moderate|285|#48D1CC|Y
HTY|Heat Advisory|heat|Moderate|284|#FF7F50|Y
CWY|Cold Weather Advisory|cold|Moderate|282|#AFEEEE|Y
WCY|Wind Chill Advisory|cold|Moderate|281|#AFEEEE|Y
WIY|Wind Advisory|wind|Moderate|280|#D2B48C|Y
DUY|Blowing Dust Advisory|wind|Moderate|278|#BDB76B|Y
-|Dust Advisory|wind|Moderate|277|#BDB76B|Y
LWY|Lake Wind Advisory|wind|Moderate|276|#D2B48C|Y
FAA|Flood Watch|flood|Severe|270|#2E8B57|A
FAY|Flood Advisory|flood|Minor|268|#00FF7F|Y
-|Urban and Small Stream Flood Advisory|flood|Minor|267|#00FF7F|Y
-|Small Stream Flood Advisory|flood|Minor|266|#00FF7F|Y
-|Arroyo and Small Stream Flood Advisory|flood|Minor|265|#00FF7F|Y
TOE|911 Telephone Outage|civil|Severe|262|#C0C0C0|-
CFA|Coastal Flood Watch|coastal|Severe|260|#66CDAA|A
FGY|Dense Fog Advisory|fog|Moderate|258|#708090|Y
SMY|Dense Smoke Advisory|air|Moderate|257|#F0E68C|Y
LSA|Lakeshore Flood Watch|coastal|Severe|255|#66CDAA|A
SCY|Small Craft Advisory|marine|Minor|252|#D8BFD8|Y
FWA|Fire Weather Watch|fire|Severe|250|#FFDEAD|A
BWY|Brisk Wind Advisory|marine|Minor|249|#D8BFD8|Y
SWY|Small Craft Advisory for Hazardous Seas|marine|Minor|248|#D8BFD8|Y
RBY|Small Craft Advisory for Rough Bar|marine|Minor|247|#D8BFD8|Y
SIY|Small Craft Advisory for Winds|marine|Minor|246|#D8BFD8|Y
AFY|Ashfall Advisory|volcano|Minor|245|#696969|Y
CFY|Coastal Flood Advisory|coastal|Minor|244|#7CFC00|Y
LSY|Lakeshore Flood Advisory|coastal|Minor|243|#7CFC00|Y
-|Avalanche Advisory|winter|Moderate|242|#CD853F|-
SUY|High Surf Advisory|coastal|Minor|240|#BA55D3|Y
UPY|Freezing Spray Advisory|marine|Minor|238|#00BFFF|Y
FRY|Frost Advisory|cold|Minor|235|#6495ED|Y
-|Hydrologic Advisory|flood|Minor|232|#00FF7F|Y
MFY|Marine Dense Fog Advisory|marine|Minor|228|#708090|Y
MSY|Marine Dense Smoke Advisory|marine|Minor|227|#F0E68C|Y
MHW|Marine Ashfall Warning|marine|Minor|226|#A9A9A9|W
MHY|Marine Ashfall Advisory|marine|Minor|225|#696969|Y
LOY|Low Water Advisory|marine|Minor|220|#A52A2A|Y
ASY|Air Stagnation Advisory|air|Moderate|210|#808080|Y
RPS|Rip Current Statement|coastal|Moderate|205|#40E0D0|S
BHS|Beach Hazards Statement|coastal|Moderate|204|#40E0D0|S
-|Extreme Fire Danger|fire|Severe|200|#E9967A|-
AQA|Air Quality Alert|air|Unknown|180|#808080|-
FZA|Freeze Watch|cold|Moderate|170|#00FFFF|A
HZA|Hard Freeze Watch|cold|Moderate|165|#4169E1|A
HLS|Hurricane Local Statement|tropical|Moderate|162|#FFE4B5|-
-|Typhoon Local Statement|tropical|Moderate|161|#FFE4B5|-
TCS|Tropical Cyclone Local Statement|tropical|Moderate|160|#FFE4B5|-
-|Tropical Storm Local Statement|tropical|Moderate|159|#FFE4B5|-
-|Tropical Depression Local Statement|tropical|Moderate|158|#FFE4B5|-
-|Tropical Cyclone Statement|tropical|Moderate|157|#FFE4B5|S
FLS|Flood Statement|flood|Minor|156|#00FF00|S
CFS|Coastal Flood Statement|coastal|Minor|154|#6B8E23|S
LSS|Lakeshore Flood Statement|coastal|Minor|153|#6B8E23|S
SPS|Special Weather Statement|other|Moderate|150|#FFE4B5|-
HFA|Hurricane Force Wind Watch|marine|Moderate|149|#9932CC|A
MWS|Marine Weather Statement|marine|Minor|148|#FFDAB9|-
SRA|Storm Watch|marine|Moderate|120|#FFE4B5|A
UPA|Heavy Freezing Spray Watch|marine|Moderate|105|#BC8F8F|A
ZYA|Heavy Freezing Spray Watch|marine|Moderate|104|#BC8F8F|A
GLA|Gale Watch|marine|Moderate|95|#FFC0CB|A
SEA|Hazardous Seas Watch|marine|Moderate|70|#483D8B|A
HWO|Hazardous Weather Outlook|other|Unknown|60|#EEE8AA|-
ESF|Hydrologic Outlook|flood|Unknown|55|#90EE90|-
NOW|Short Term Forecast|other|Unknown|40|#98FB98|-
ADR|Administrative Message|other|Unknown|20|#C0C0C0|-
NMN|Network Message Notification|other|Unknown|15|#C0C0C0|-
-|Test Message|other|Unknown|10|#F0FFFF|-
-|Test|other|Unknown|9|#F0FFFF|-
RWT|Required Weekly Test|other|Unknown|8|#F0FFFF|-
RMT|Required Monthly Test|other|Unknown|7|#F0FFFF|-
DMO|Practice/Demo Warning|other|Unknown|6|#F0FFFF|-
`;

/** Further codes that mean the same type as another (areal and forecast-point floods have codes of their own). */
export const CODE_SYNONYMS: Readonly<Record<string, string>> = {
  FLW: 'FAW',
  FLA: 'FAA',
  FLY: 'FAY',
  ZYY: 'UPY',
  AQW: 'AQA',
};
