"""Prefixes by which vendors mark their tokens, from their public descriptions.

One row: prefixes | characters of the rest | least length of the rest at which it counts. The least lengths of unmistakable prefixes are
low on purpose: half a token is a leak too.
"""

CODE_HOSTS = """
ghp_ gho_ ghu_ ghs_ ghr_ | alnum | 10
github_pat_ | word | 10
v1. | hex | 40
glpat- gldt- glrt- glrtr- glcbt- glptt- glft- glimt- glagent- glsoat- glffct- glwt- gloas- glrtr- glpd- | url | 10
GR1348941 | url | 12
ATBB ATCTT3 ATATT3 ATOATT ATLAS ATTA | url | 20
bbdc- BBDC- | b64 | 20
sgp_ slk_ sgd_ sgph_ | word | 20
gitea_ | hex | 20
npm_ | alnum | 10
pypi-AgEI pypi-AgEN | url | 20
rubygems_ | hex | 16
CLOJARS_ | alnum | 20
cio | alnum | 32
dckr_pat_ dckr_oat_ | url | 10
oy2 | alnum | 40
AKCp AKCP cmVmdGtu | alnum | 30
squ_ sqp_ sqa_ sqb_ | hex | 16
snyk_ snyk_uat. snyk_sat. | dot | 20
bkua_ bkat_ bkct_ bkpt_ | alnum | 16
CCIPAT_ CCIPRJ_ | word | 16
API- | alnum | 24
pat. sat. | dot | 40
cctoken_ | alnum | 16
sourcery_ | alnum | 16
depot_ depot_org_ depot_project_ | alnum | 16
earthly- | alnum | 20
perm- | b64dot | 24
phx_ phc_ phs_ phr_ | alnum | 20
ico- | alnum | 24
figd_ figo_ figu_ figr_ figoh_ figdh_ | url | 16
lin_api_ lin_oauth_ lin_wh_ | alnum | 16
ntn_ secret_ | alnum | 32
PMAK- PMAT- | url | 16
rdme_ | alnum | 24
tfp_ | dot | 24
CFPAT- | url | 20
shpat_ shpca_ shppa_ shpss_ shpua_ shprt_ shptka_ | alnum | 14
sntrys_ sntryu_ sntrya_ sntryi_ | b64 | 16
SNTRYS_ | b64 | 16
ddapi_ ddapp_ ddpat_ | alnum | 16
glc_ glsa_ glsa- | b64 | 16
eyJrIjoi | b64 | 30
hcaik_ hcbik_ hcxik_ hcalk_ hcblk_ hcmik_ | alnum | 16
NRAK- NRJS- NRII- NRRA- NRIQ- NRAA- NRSP- NRBR- NRAL- | url | 12
dt0c01. dt0s01. dt0s02. dt0s06. dt0s08. dt0s16. | dot | 20
lsv2_pt_ lsv2_sk_ ls__ | word | 20
sk-lf- pk-lf- | uuid | 16
logz- lgtoken_ axn- axiom- xaat- xapt- | url | 20
cov_ sumo_ bt_live_ | alnum | 20
"""

CLOUDS = """
AIza | url | 20
ya29. 1//0 | urldot | 20
GOCSPX- | url | 12
GOOG GOOG1E | alnum | 20
AQVN AQVNy YCAJE YCMP YCN YCO YCP | url | 28
t1. | b64dot | 60
y0_ y1_ y2_ y3_ | url | 30
LTAI LTAI5t | alnum | 12
AKID AKLT AKTP | alnum | 28
ABSK ABSKQmVkcm9ja0FQSUtleS | b64 | 30
bedrock-api-key- | b64 | 30
dop_v1_ doo_v1_ dor_v1_ dotoken_ | hex | 16
DO00 | alnum | 14
SCW | upper | 17
HRKU- | url | 20
fm1_ fm2_ fm1r_ fm1a_ fo1_ fo1. | b64 | 24
vcp_ vci_ vca_ vcr_ vck_ vercel_blob_rw_ vc_ | word | 20
nfp_ nfc_ nfo_ nfu_ nfb_ | alnum | 20
rnd_ | alnum | 20
railway_ | url | 20
sbp_ sb_secret_ sbp_oauth_ | url | 16
pscale_tkn_ pscale_pw_ pscale_oauth_ pscale_ | urldot | 16
napi_ neon_ | alnum | 24
tembo_ xata_ xau_ turso_ | alnum | 20
fnAE fnAD fnAC fnEE | b64 | 24
hvs. hvb. hvr. hvp. | url | 16
s. b. r. | alnum | 24
nomad- | alnum | 24
pul- | hex | 20
tfe- | url | 24
spacelift_ env0_ scalr_ | url | 20
dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit. dp.said. | dot | 16
st.v3. st. | dot | 40
ops_eyJ | b64dot | 20
tskey-auth- tskey-api- tskey-client- tskey-scim- tskey-webhook- tskey- | url | 12
nkey- dnkey- nebula- | b64 | 20
ngrok_ ak_ cr_ | alnum | 28
AGE-SECRET-KEY-1 AGE-SECRET-KEY-PQ-1 | upper | 20
SWMTKN-1- SWMKEY-1- | url | 20
sha256~ | url | 30
tk-us- tk-eu- | url | 30
dapi dkea dose | hex | 28
pnu_ pnb_ pcu_ | alnum | 20
dbtc_ dbtu_ dbts_ | b64 | 20
cflt | b64 | 40
airbyte_ fivetran_ prefect_ dagster- | alnum | 28
SG. | dot | 30
xkeysib- xsmtpsib- | url | 20
key- pubkey- | hex | 28
mlsn. | hex | 20
md- | alnum | 20
re_ | word | 20
os_v2_app_ os_v2_org_ os_v2_ | alnum | 20
sm_aat_ sm_pat_ sm_sat_ | alnum | 14
FLWSECK- FLWSECK_TEST- FLWPUBK- FLWPUBK_TEST- FLWSECK_LIVE- | url | 12
rzp_live_ rzp_test_ | alnum | 10
sk_live_ sk_test_ rk_live_ rk_test_ pk_live_ sk_prod_ rk_prod_ whsec_ pk_test_ sk_org_ psk_live_ psk_test_ cs_live_ | b64 | 10
sq0atp- sq0csp- sq0idp- sandbox-sq0csb- sandbox-sq0atb- EAAA | url | 18
live_ test_ | alnum | 28
EZAK EZTK | alnum | 50
shippo_live_ shippo_test_ | hex | 16
duffel_test_ duffel_live_ | url | 16
access-sandbox- access-production- access-development- link-sandbox- link-production- | uuid | 20
secret-live- secret-test- project-live- | url | 20
FINOS fio-u- | url | 30
AQE AQF AQG AQH AQEyhmfxK AQEhhmfuX | b64 | 60
sk_ | alnum | 24
ck_ cs_ | hex | 40
"""

MODELS_AND_APPS = """
sk-proj- sk-svcacct- sk-admin- sk-None- sess- | url | 16
sk-ant-api03- sk-ant-admin01- sk-ant-sid01- sk-ant-oat01- sk-ant-ort01- sk-ant- | url | 14
sk-or-v1- sk-or- | alnum | 16
sk-cp- sk-kimi- sk-helicone- sk-litellm- sk-langfuse- sk-lm- | url | 16
sk- | url | 20
gsk_ | alnum | 16
pplx- | alnum | 16
xai- | alnum | 20
hf_ api_org_ hf_oauth_ | alnum | 12
r8_ | alnum | 16
fw_ fpk_ | alnum | 20
esecret_ | alnum | 20
pcsk_ | word | 20
csk- | alnum | 20
tvly- tvly-dev- tvly-prod- | url | 16
jina_ | word | 20
nvapi- | url | 20
fc- | hex | 24
pa- al- | url | 32
tgp_v1_ | url | 20
co_ | alnum | 32
wandb_v1_ | word | 24
bb_live_ bb_test_ | url | 20
apify_api_ apify_proxy_ | alnum | 16
e2b_ modal- ak- as- | alnum | 20
luma- rpa_ vastai_ | alnum | 24
cal_live_ cal_test_ cal_ | alnum | 20
exa- brave- BSA | url | 24
mem0- m0- zep_ z_ | dot | 24
sk_car_ sk_V2_ | word | 20
xoxb- xoxp- xoxa- xoxa-2- xoxr- xoxs- xoxo- xoxc- xoxd- xoxe- xoxe.xoxp- xoxe.xoxb- xapp- xwfp- | urldot | 10
pat-na1- pat-eu1- pat-na2- pat-ap1- | uuid | 20
EAACE EAAG EAAB EAAD EAAJ EAAC EAAE EAAF | alnum | 40
IGQV IGQW IGAA | url | 40
AAAAAAAAAAAAAAAAAAAAA | b64 | 40
sl. sl.u. sl.B | urldot | 40
dG9rO | b64 | 40
patk- | dot | 30
pul_ | alnum | 30
p8e- p8 | alnum | 30
MSESSION | alnum | 30
doppler_ | alnum | 30
zpka_ unkey_ | word | 16
api-live- sdk- mob- api- | uuid | 36
secret-key- | alnum | 20
kapi_ kcrt- | alnum | 24
ssm_ stytch_ workos_ | alnum | 24
cfut_ cfat_ cfk_ cf_ | alnum | 32
ey.cf. | url | 30
v1.0- | url | 60
v2.public. v2.local. v3.local. v4.local. v4.public. v3.public. | url | 24
mc_ mcp_ mk_ | alnum | 28
blt cs | hex | 16
b_ | alnum | 44
s-s4t2ud- s-s4t2af- | hex | 40
JBSWY3DP | upper | 8
PKCK_ | alnum | 20
lip_ lago_ | alnum | 20
ntfy_ tk_ | alnum | 28
pushover_ gotify_ | alnum | 20
ptla_ ptlc_ ptr_ | alnum | 20
hass_ esphome_ | alnum | 24
vlt_ vp_ vtwo_ | alnum | 28
WKD WKS | alnum | 30
xprv yprv zprv tprv | alnum | 40
sshpk_ eas_ expo_ | alnum | 24
aio_ | alnum | 20
BBFF- | alnum | 24
sbat_ scw_ | alnum | 28
typesense_ meili_ algolia_ | alnum | 28
lc_ cc_ aut_ | alnum | 40
trigger_ tr_dev_ tr_prod_ tr_pat_ | alnum | 16
signkey- evtkey- inngest_ | word | 24
nango_ paragon_ merge_ | alnum | 24
r2_ b2_ K00 | alnum | 27
gsp_ gfp_ | alnum | 28
onfido_ api_live. api_sandbox. api_live_us. | dot | 20
uk_ ck_live_ ck_test_ clerk_ | alnum | 24
whmcs_ ADM | alnum | 40
zapi_ zd_ | alnum | 30
live_pub_ live_secret_ test_secret_ | alnum | 16
"""
