/**
 * Ordinary words: words of English that are also tickers, first words of company names, or close to a well-known name.
 * Such a word names a company only if it is written as a name or stands beside "stock".
 */

/** Words of the language, folded. */
export const ORDINARY = `
abacus abbot abbots able abound above absolute acacia academy accelerate accelerated access accidental accidentals
accolade accompany accord accredited achieve acme acorn acre acreage acres act actinium active actuate acuity acumen
ad adagio adaptive add adjective admen admiral adobes adore ads adv advance advanced advantage advent advt aeon
aeries aerospace aesthetic affiliated affinity affirm affluence aftermath agape agent agile ago agree agricultural
agriculture aileron aim air airborne airports airs airship alarm alb alchemy ale alien alienation alight align
alignment alit alkaline all allegro allergy alliance allied alligator allot ally alms alpha alphabets alpine alt
alternative alto altos alts aluminum am amalgamated amazons amber amen ammo amp ample amplify amplitude amps amt an
analog angel angina angle angstrom ani anonymous ante antelope any anything anywhere apartment apex apogee app
apples applied apply appreciate apps apt aqua arbor arbutus arc arch archer arctic ardent are arena ares argosy
argyle aristocrat ark arm armada armory array arrival arrow arrowhead arsenal art artificial artisan as ascend
ascendant ascent ascot ash asp aspen asps assembly asset associated asst assure assured atlas atom atomic atoms
atria atrium attic auburn augmentation aura authentic auto automatic autos avalanche avenue avid avidity aw aware ax
axis axon ay azure back badger badlands bah baker bald ball band bandwidth bang bank banner banyan bar barer barista
baristas bark baron barrack barrel base baser basic basin bath battalion battery bayed be beach beacon beam bear
beat beauty beaver became beckon bee beep beholding being bell benchmark berry bespoke best beta better beyond
bicycle bid big bill billow billy bird bit bitterest black blackbird blackjack blackout blade blend
blink block blockchain blocking blonder bloom blue blueberries bluebird bluejay blueprint boardwalk boat boding body
bold bolt bombardier bone boning bonus booing booking boom boot boring boss bossy both bounce boundary boundless bow
bowing bowl bowman box boxing brag brainstorm brambles brand branded bravo bread breeze bridge bright brilliance
brilliant brinks broad broadcast broadside brother brown brownie buckle bud build builders bullet bullfrog bumble
bunker bur bureau burning business butler butterfly buyer by byline cab cable cache cactus cadence cadre caduceus
cake cal caliber calm cam camber cambium cameo camp camping can cannabis canoe canon canopy cantaloupe canter cantor
canyon capital capitalize capitol car carbon cardinal cardio care cargo caribou carnival carpenter carriage carrier
cars cart cartel carver cascades cash cashmere cask cassava castle castor cat catalyst catapult caterpillars
catheter cauldron cc cedar celesta celestial cell cent central centurion century cf ch chain chalice challenger
champion champions change channel chapters chariot chart charter check checkpoint cheer cheesecake cheetah chef
chefs cherry cherubim chevrons chi chicken children chimera china chino chit choice chord chorus chow chubby church
cipher cirrus cite citizens citric city civic clarity class clean clear clever click clicks climb clip clipper close
clover clubhouse cm coastal cobalt coda code coffee cogent cognition cognizant coherent coin cold collate collective
colliers colonial colony color colorfast comfort comm commencement commerce commercial commodore commonwealth
communication community compass complete compo computer con concord concrete condor conduit confluent conifer
connect connectivity conquest consensus conservative consolidated constellation construction consumer consumers
contagious container context continental converge coo cook cool coop cooper coot cop copper core cornerstone corning
corporate correlate corsair cosmos cost costar counterpoint country county cousins covenant cover cracker crane
crazy creative credit credo crescent crimson cripple critic critical cross crown crumbs crystal cs cub cube cue
cuisine cull cult cumming cumulus curative curb currency custom customers daily dapple dare darken darling dash data
dawn day dd dds dear decade decibel decision decisive deck deep deers defense defiance definitive delimited delivery
delta deluxe demand demo dense dental desert design designer desktop destination destiny diamond dick dickers dig
digital dilly dime dimmer din dine diodes diploma direct dis disc disco discount discover discovery distribution
district diversified dividend doc docs dogwood dole dollar dolly dolphin dominion dorm dot dragon dragonfly dream
drilling drinks drive driven drone drop drug duet duff dug duke dun duo duos dyadic dye dynasty ea eagle earn earth
east easterly eastern eat eclipse ed edge edgewise edible edit educational ego eh either elastic elders electric
electronic elegance element elemental elevate elevation elf elite else em embassy embrace emerald emergent emerging
eminent emo emperor empire employers empress ems enable enact encompass encore encounter endeavor endurance
energizer energy enfolding engine engineer enliven ensign enterprise entertainment enthusiast entourage entrepreneur
environmental envoy enzyme eon epic epsilon equal equator equatorial equinox equitable equity eras es esp esquire
essential establishment esteem ester etc etcher eureka euro eve ever evergreen everyday everything evoke evolution
exact exceed exchange exodus expand expeditors exploits expo exponent express extra extreme eye eyes fa fair falcon
family fang far farm farmer farmers farmhouse farmland fast fat fate fathom fax federal federated felon fer fern
fidelity fifth fight figs filament filly finance financial finch fingerprint fins firebrand firefly firm first
firsthand fission five fix fizz fl flag flagship flame flew flex flexible floor flora flow flower flowers fluent
flushing flutter flux fly flywheel focus foghorn fold foment foments foot foothills for fora foremost foresight
forge forgive form formation formula forte fortes forties fortitude fortress forts fortune forty forum forward
fossil founder founders four fox fr freedom freehold freelancer freeman freeze freight frequency fresh fro frog
frontier ft fuel fulcrum full fun fund fundamental funding furtive fury fuse fusion future gab gain galaxy galleon
galore gambling game gamer games gamin gaming gander gap garb garden garner garter gas gate gates gateway gaucho
gauzy gayer gear gee geeky gel gels gen general generation generations generative genesis genie genius genuine genus
giant gift gig gild gilt ginkgo glacial glacier glad gladiator glass glen glimpse glob global globe glow glucose
glue gm go goal goat goggle gold golden golf good goody googled googles gores gorilla gossamer gourmet gr grab grace
grail gram grand grange granite grapefruit graph graphic graphite gravity gray great greater green grid grit grizzly
grocery groove grounded group grove grow grown gryphon gs guaranty guardian guerrilla guess guided guideline guild
gulf guru gut guts gyro ha hag hah halberd haler hall hallmark halo halon hammer hang hangover happy harbor hard
harden harmonic harmony harrow harvest has hater hawthorn hays hazier he health healthcare healthier healthy hear
heartland helium helix hello hemisphere hemp hennas herb herbal heritage hero heroes heron herpes hertz hes hexagon
hi high highest highland highlands highway hill hills hilltop hilly hims hippo hive ho hocking hoeing hog holiday
home homeland hone honest honey hood hook hooker hoops hop hope horizon horizons host hot hour howl hp hr hub hubs
hum human humane humans humble hummingbird huntsman hut hybrid hydra hydrogen hypertension ibex ice icon idea ideal
if ifs iii illumine image imagine immersion immutable immutably imp impact impala imperial in incentive inception
incidental income independence independent index indigo indirect indoor inductive industrial industries infinite
infinity inflection information infusion injecting injection inland inn innate innovate innovation innovative
insecurities insight inspire inspired installed instil institute insult insurance intact integer integral integrated
intelligent intensity inter interact interactive intercontinental interest interests interface interlink
international internet intrepid intrusion intuitive intuits invective invent inventive investments investors
invitation ion ions iridium iris iron it ix jack jackpot jade jaguar japan jasper jaws jazz jet job john joint
journey jubilant jubilee juggernaut jumbo juniper just karat kc keen kegs ken kens kestrel key keying keys khans kid
kids kind kinder kindly kinetic king kingfisher kisses kite kits knife knight knot know koan kroner ks la lab labor
lad ladder ladybug lair lake lam lamb lamentation land landmark lands lantern lapse largo lark lase laser latch
lattice launch laureate lava law layer lb lea lead leader leading leap learning lee leg legacy legal legato legend
legends legible legion lemonade leopard leviathan lexicon liberty lichen lien life lifeline lifetime light lighting
lightning lii liken limestone limitless linden line lineage lined linen lingerie link linkage lintel lion lions
liquid liquidity lite lithium live liven loan lob lobe lobes local location loco lode lodes lodestar loges logistic
long loop lope lopes lord lords loses lot lottery lotus love loves low lowed lower lowers lowest loxes lucid lung
lynx ma mace macron mad madrigal magazine magic magnolia magnum maiden main majestic major maker mama mammoth man
mandarin manganese manic manning maple maps mar marathon marijuana marine maritime mark marked marker market
marketing marks marksmen mars marsh marten martin marvel mas mascot mason mass mastermind mat matador match
materials math matrix maven maverick max maxim me med medalist medallion media medical medicine medley meg mentor
mercantile merchants mercury meridian merit mesa met metal metallic metallurgical metals meteoric metro metropolitan
mettle mfg mg mi microchip microns microwave mid midland midnight miff milestone military mill millennial millennium
miller min mind mineral minerals minim mining mink mint mirage mission mist mister mitt ml mo mob mobile mod modern
modular mogul moldy molecular monarch monkey monogram monolithic monster montage monument monumental moods moon mop
morn mortgage mos mosaic motorcar mountain move movement movie moving ms mu multi mural muscle mushrooms music musk
mustang my myna myriad mystic nab naked nascent national nations natl natural nature nautilus navigator near neon
nerds nerdy nestled nestles net nether nettle network new news newt next nexus nice nickel nine nip nipple no
nobility noble nomad non noodles north northeast northern northwest northwestern notable note nova now nu nuclear
nutrient oak oat objective oblong obscurities obsidian occidentals ocean oceanic octagon ocular odd oddity odyssey
office oil old omega on oncology one online onto onward onyx op opal open opera opt optical optimism option options
opus or oracles orange orated orbit orc orchestra orchid orient oriental origin osprey other otter oust ousted
ouster out outcrop outlook outset ovation overactive overseas owl owlet oxford oz pacific pack packaging paid pal
palisade palisades pan panacea pantheon panther papa papal par paradigm paradox paragon paramount park parks parkway
parrot parsons partner partners passage path patient patriot pay payer pays pct pd peak pearl peer peg pen penguin
peninsula pennant pennon peoples pep pepsin perception perceptive perfect performance perigee perilling perimeter
perk permanent perpetual persimmon perspective pert pestle pet pets pg phoenix pi pick pigeon pilgrim pillow pilot
pine pineapple ping pinnacle pins pinstripes pioneer piper pita pizza pkg pl plains planet plant planting platinum
play playmates plaza plexus pliant plow plug plum plus poet point pol polar pole polestar polished polygon pond pony
pool pop popular porch port portage positron post postal potash potbelly power prairie precipitate precision
predictive preferred prelude premier premium pressure prestige presto prim primary prime principal priority private
pro probe productivity prof professional proficient profitable profound progress progressive prologs prom prop
propel proper pros prospect prospector prosperity prosy protagonist protect protein provenance providence provident
prudential psyched pt public publicist pulsar pulse puma pump pups pure purple qt quad quaint quality quanta quantum
quartz queen queens quest quick quilter quince quorum race radiant radio radius rail rainmaker ramp rang range
ranger rapid rapport rapt rare raspberry rational rave ray re reading ready real reality realty reamed reaps reborn
rebus recharge reconnaissance recruit rectitude recursion red redwood reed reeds refined reflect reflex regal
regency regenerative regional regions regroup relay relevance relevant reliability reliance reliant relief rely
remark remedy remote render renegade renew renewable renewal renovate rent repay replenish republic research reserve
reservoir resolute resonate resources restart restaurant rested resumed retail retractable retrieve rev revelation
revival revive revolution revolve rhythm ribbon rick rig right rime ring riot riper rippled ripples rise rising risk
rite rivalry river riverside rivulet rm road roadrunner roan rock rocket rocky roger rogers rolls romper root roots
roped ropes round rover rower royal royalty rpm rs rugby rum rumble run runway rural rush rut sable sabre sachem
sack sacks saddle safe safeguard safer safety sag saga sage sailfish sally sand sandbox sands sandstorm sandy sang
sap sassy sat savannah savers say scepter scholar scholastic schwa schwas science scientific scope scotch screen sea
seaboard seacoast seafarer sealed seaport search searchlight seat secure securities security see seed seeing seek
seer select selective self semi semiconductor sense sentient sera serve service settler seven sh shake shall
shanghai sharing sharp sharps shelf shells shill shim shin ship shoal shoals shoe shoo shop shore shot shuttle shy
sierra sight sigma signal signature signet signify signing silence silicon silly silo silver sim simmer simply sims
simulated simulations sincerest sincerity sing singular singularity sip sir site sits six sixth sixty skillful skin
sky skylight skyline skyward slab slam slang slate sleep small smart smell smit smith smiths smooth snail snap snow
snowflakes so soar sobs social society socket software sol solar solaria solid solo solstice solution some son song
sonic sonnet sos sound source south southeast southern southwest sovereign sow spar spark spartan spearmint spec
special specialty spectra spectral spectrum spell sphere spin spire spirit spirits splash sportsman spot spring
sprout sprouts spruce spry spyglass sq square stab stack stacks staffing stag stallion stampede standard star
stark state steel stellar stem step steppe sterling sterna sterns stew stinger stingray stitch stock stoke storm
strata strategic strawberry streamline street stride striker stronghold structure structured structures studio
suburban succor sum summer summit sun sunny sunrise suns sunshine sup super superior supermarket supernova supreme
surf surge surgery surgical sustainable swag swatch sweet swell swim sycamore symbiotic symbolic synergy synopses
synopsis synthetic table tact tactical tactile tag take talk talon tan tandem tango tap tapestry target tars task
tasty tat tattooed team tech technical technology tel telephone telescope television telex tells tempest tempo ten
tenable tenet tenon tern terns territorial tether that therapeutic thermal thermos thesis thief thimble thine third
tho thoughtful three thresher thunder thunderstruck tidewater tier tiger tile till tilt timberland tiny tip tipple
tips titan titanium toast toeing token toll tombstone ton top topaz tops tor tornado torque torrid tortoise tost
total touchstone tour tourmaline tower town toys trace track traction tractor trade traditions trailblazer trance
trans transact transatlantic transcontinental transfusion transition transnational transportation travel travelers
treasure treasury treatment tree trees tremble trend triad tribe trident trifecta trillion trilogy trinity trio trip
triple triumph tron troops trophy troubadour troy true truest truism truly trump trust ts turn turner turning turtle
tusk tutor twin twist two ubiquity ultimate ultra under undersea unfolding union unique unit unite united unity
universal universe university unusual up upholding upland ups upstream uranium urban urgent us utilities vale
valiant valley value van vanguard vantage vapor var vast vat vault vector velocity vendetta vents venture verb
verify vermilion verses versus vertex vertical verve very vest vet via vibe vicarious vice viced vices vicinity
victor victory video vigil village vine vintage viper vireo virgin virtual viscount visible vision visionary vista
vital vitality vitreous viva vivid vodka volt vortex voyager vs wacker wag walker want warden warehouses warm
warrior wash waste watches water waters watt watts wave way wealth wearable weave wee weed weir well wells welters
wen werewolf west western westward wharf wheaten wheeler wheels when where whirlpool white whitecap wildflower
willow willpower windfall wing winners winning wins winsome winteriest wireless wise wit wk wok wolf wolverine wood
woodlands woody woof work workaday workdays workhorse world worlds worldwide worsted wow wrap wright writ wt xenon
xxii xylem yeahs yellow yelp yeti you yum zebra zenith zephyr zeta zinc zip zone zoned zoo zoom`;

/** Places, peoples, first and family names, days: a capital letter does not make them companies. */
export const PROPER = `
aberdeen acadia achilles adams adriatic adventist aeolus africa african aida akita aladdin alamo alaska albany
aldebaran alexander alexandria algonquin allison alnilam alps alta altair altamira altiplano alton america american
americas ames amsterdam ana andean andrea andretti angie angkor anglia anglo angus antares antilles antofagasta
anton apollo april aquarius arcadia arcturus arden argentina argo arizona armour armstrong artemis arthur asia aston
atacama athabasca athena atlanta atlantic atlantis ats auckland august augusta aurelia aurora austin australian
avalon avery avila avon ayala aztec babylon baird baldwin balfour ballard baltic bancroft bangkok barclay barnes
barrett barry barton bauer bavarian baxter bayes beasley beeton beijing bengal benson bentley benton bering berkeley
berkshires beyer bic biden bimini blackwell bloomfield boise borneo boston boswell bowen boyd boyer boyle brady
bragg brazilian bridger bristol british broadway brunswick buffett burke burlington cabot cabral cadiz caldwell
caledonia california calvin campbell canaan canada canadian canopus canterbury capella capitoline capri capricorn
cara cardiff caribbean carl carlyle carnegie carolina carter cartesian caspian cathay cato catskill cavendish
celsius celtic centaurus ceres ceylon chang charles charlie charlotte chesapeake chiba chicago chilean chinatown
chinese christian christina christopher churchill cincinnati cipro cleveland clifton cohen coleridge columbia
columbus com connecticut conrad cordoba cornish cornwall corvus crawford crisco cruz cullen cumberland cummings
cunningham curtis cygnus dada dakota damon dana daniels daren darren dave davis dawson decca december decker delhi
denny descartes detroit devon diana diego dillard dino dixie donaldson dorian douglas dover dow dryden duluth dutch
eastman eco edinburgh edison edwards electra eli elisa ellington elmer emerson erickson erie eros essex estes esther
ethan ethel eton europe european eva evans everest fannie faraday february ferguson ferraro fitzroy fletcher fonda
francisco franco franklin freddie friday friedman fuchs fuji fukuoka fulton gabriel gaia galapagos gardner garibaldi
garrett garrick gemini geo georgia german getty gibraltar gibson gladstone golconda goliath goodman grafton graham
granada greek greene greenland greenville greenwich guangzhou guggenheim gulfport guyana haber hal hamilton hamlin
hammond hancock hanoi hanover harrison harte hartford harvard harvey hastings hawaiian hawkins heidelberg helen
helios hellenic henderson hennessy henry hera hercules hess himalaya hinton holley hollywood hon hong horace houston
howard huang hudson hugo huntington huron icahn idaho illinois india indonesia indra ingram inuit ionic irish irving
irwin isabella israel italian ivanhoe jackson jacobs james january janus jericho johnson jones joshua julius july
june juno jupiter kaiser kalamazoo kalgoorlie kali kane kansas kawasaki keller kelly kennedy kentucky kerry kilroy
kimberly kirby kirkland klondike knowles kodiak korea krista kruger krystal labrador lakeland lamar lancashire
lancaster lara laredo las latin lear lehman lemaitre lennon leo leonardo leslie lewis lexington lille lincoln linda
lindsay lindy lloyd logan london los louisiana lowell lucas lucy ludwig lully lulu luna lyell lyons lyra mach
mackenzie madison magellan magyar malayan malibu manchester mandalay manhattan manila mara marcel march marco marcus
marin maris marlowe marquette martel masai massachusetts matthews maui mayan mayer mayfair maytag meiji mercer
merlin merrill mesabi mexican mexico meyer milton minerva ming mira mohawk molina monday monera mongolia mongolian
monroe monte morgan moro morris mueller mullen murat murchison murphy myers nam namibia naples nathan neo neptune
nevada nevis newfoundland newport niagara nicola nippon noah nobel nordic norfolk norris norse norwegian nov
november nubian october oersted ohio olin ollie olympia olympic olympus ono oppenheimer oregon orion osaka oscar
osceola otis ottawa otto ovid owens palmer palomar pandora pangaea parker pasco patagonia patrick patterson peabody
pearson pedro pegasus penn pensacola permian perseus pershing peruvian petra philip phillips philly piedmont piraeus
plato plymouth polaris pollard ponce portland poseidon potomac powell princeton procyon puget putnam quaker quebec
rafael ralph ramsay rand raymond regulus reilly reno rex reyna reynolds rhonda richards richardson richelieu
richmond rigel riley rio robert rocha rochester rockwell rollins ronda ross roth royce rubicon rupert russel russell
ryan ryder saab sabine saigon salazar salem salvatore sam samara san sana sanford santos saran saturday saturn saul
savoy saxon scandinavian schindler scorpio scorpius scottie scottish seneca september serra severn sheba shelly
shenandoah sheol shiva siam sidney simmons simon simpson sinclair singapore skye snell soho sophia spanish sparta
stanley starr stella steven stewart sui sunday susquehanna swedish swiss taiwan tate taurus taylor temecula
tennessee terra tessa tethys texas thai thanh thieu thomson thor thule thunderbird thursday tibet tim timex tokyo
tompkins toronto toto toyoda travis triton troilus trump tsingtao tudor tuesday turk tyler uniroyal usa utah
valhalla venus vera verde verna verona viacom victoria vietnam vietnamese viking vince virginia vonda vulcan wabash
walt walters wang warner washington webster wednesday weston whitehorse wilhelmina willamette william williams
willis willy wilton winston wisconsin woodward wuhan xenia yangtze yokohama yong york yorkshire yukon zapata zealand
zeus zion zulu`;
