/**
 * Vietnam: the larger listings of HOSE, HNX and UPCOM, with their names in English and Vietnamese and what people call
 * them. One line each: ticker | English name | Vietnamese name | short names.
 *
 * A short name that is also an ordinary phrase ("Hòa Bình" is peace) is left out or given with its trade.
 */

/** Listings by exchange. */
export const VIETNAM: Readonly<Record<"HOSE" | "HNX" | "UPCOM", string>> = {
  HOSE: `
AAA|An Phat Bioplastics|Nhựa An Phát Xanh|An Phát Xanh
ACB|Asia Commercial Bank|Ngân hàng Á Châu|Asia Commercial Joint Stock Bank
AGG|An Gia Real Estate|Bất động sản An Gia|An Gia
AGR|Agribank Securities|Chứng khoán Agribank|Agriseco
ANV|Nam Viet Corporation|Thủy sản Nam Việt|Navico
ASM|Sao Mai Group|Tập đoàn Sao Mai|
BAF|BAF Vietnam Agriculture|Nông nghiệp BAF Việt Nam|BAF Việt Nam
BCM|Becamex IDC|Đầu tư và Phát triển Công nghiệp Becamex|Becamex
BFC|Binh Dien Fertilizer|Phân bón Bình Điền|
BHN|Hanoi Beer (Habeco)|Bia Hà Nội|Habeco
BIC|BIDV Insurance|Bảo hiểm BIDV|
BID|Bank for Investment and Development of Vietnam (BIDV)|Ngân hàng Đầu tư và Phát triển Việt Nam|BIDV;Ngân hàng BIDV
BMI|Bao Minh Insurance|Bảo hiểm Bảo Minh|Bảo Minh
BMP|Binh Minh Plastics|Nhựa Bình Minh|
BSI|BIDV Securities|Chứng khoán BIDV|BSC
BSR|Binh Son Refining and Petrochemical|Lọc hóa dầu Bình Sơn|Lọc dầu Bình Sơn;Binh Son Refinery;Lọc dầu Dung Quất
BVH|Bao Viet Holdings|Tập đoàn Bảo Việt|Bảo Việt
CII|Ho Chi Minh City Infrastructure Investment|Đầu tư Hạ tầng Kỹ thuật TP.HCM|
CMG|CMC Corporation|Tập đoàn Công nghệ CMC|CMC Việt Nam
CRE|Century Land (CenLand)|Bất động sản Thế Kỷ|CenLand
CSV|South Basic Chemicals|Hóa chất Cơ bản Miền Nam|
CTD|Coteccons Construction|Xây dựng Coteccons|Coteccons
CTG|Vietnam Bank for Industry and Trade (VietinBank)|Ngân hàng Công Thương Việt Nam|VietinBank;Ngân hàng Công Thương
CTR|Viettel Construction|Công trình Viettel|
CTS|VietinBank Securities|Chứng khoán VietinBank|
DBC|Dabaco Group|Tập đoàn Dabaco|Dabaco
DBD|Bidiphar|Dược Bình Định|Bidiphar
DCM|PetroVietnam Ca Mau Fertilizer|Phân bón Dầu khí Cà Mau|Đạm Cà Mau;PVCFC
DGC|Duc Giang Chemicals|Hóa chất Đức Giang|Đức Giang
DGW|Digiworld|Thế Giới Số|Digiworld
DHC|Dong Hai Ben Tre|Đông Hải Bến Tre|
DHG|DHG Pharma|Dược Hậu Giang|
DIG|DIC Corporation|Đầu tư Phát triển Xây dựng DIC|DIC Corp
DMC|Domesco Medical|Y tế Domesco|Domesco
DPM|PetroVietnam Fertilizer and Chemicals|Phân bón và Hóa chất Dầu khí|Đạm Phú Mỹ;PVFCCo
DPR|Dong Phu Rubber|Cao su Đồng Phú|
DRC|Danang Rubber|Cao su Đà Nẵng|
DXG|Dat Xanh Group|Tập đoàn Đất Xanh|Đất Xanh
DXS|Dat Xanh Services|Dịch vụ Bất động sản Đất Xanh|
EIB|Vietnam Export Import Bank (Eximbank)|Ngân hàng Xuất Nhập Khẩu Việt Nam|Eximbank
ELC|Elcom Technology|Công nghệ Viễn thông Elcom|Elcom
EVF|EVN Finance|Tài chính Điện lực|EVNFinance
FCN|Fecon|Công ty Fecon|Fecon
FMC|Sao Ta Foods|Thực phẩm Sao Ta|Fimex
FPT|FPT Corporation|Tập đoàn FPT|FPT Corp
FRT|FPT Digital Retail|Bán lẻ Kỹ thuật số FPT|FPT Retail;FPT Shop;Long Châu
FTS|FPT Securities|Chứng khoán FPT|FPTS
GAS|PetroVietnam Gas|Tổng Công ty Khí Việt Nam|PV Gas;PVGas
GEG|Gia Lai Electricity|Điện Gia Lai|
GEX|Gelex Group|Tập đoàn Gelex|Gelex
GIL|Gilimex|Sản xuất Kinh doanh và Xuất nhập khẩu Bình Thạnh|Gilimex
GMD|Gemadept|Công ty Gemadept|Gemadept
GVR|Vietnam Rubber Group|Tập đoàn Công nghiệp Cao su Việt Nam|Cao su Việt Nam
HAG|Hoang Anh Gia Lai|Hoàng Anh Gia Lai|HAGL;Bầu Đức
HAH|Hai An Transport|Vận tải và Xếp dỡ Hải An|Xếp dỡ Hải An
HCM|Ho Chi Minh City Securities (HSC)|Chứng khoán TP.HCM|HSC;Chứng khoán HSC
HDB|HDBank|Ngân hàng Phát triển TP.HCM|HD Bank
HDC|Ba Ria - Vung Tau House Development|Phát triển Nhà Bà Rịa Vũng Tàu|Hodeco
HDG|Ha Do Group|Tập đoàn Hà Đô|Hà Đô
HHS|Hoang Huy Investment Services|Đầu tư Dịch vụ Hoàng Huy|
HHV|Deo Ca Traffic Infrastructure|Hạ tầng Giao thông Đèo Cả|Đèo Cả
HPG|Hoa Phat Group|Tập đoàn Hòa Phát|Hòa Phát;Thép Hòa Phát
HQC|Hoang Quan Real Estate|Địa ốc Hoàng Quân|Hoàng Quân
HSG|Hoa Sen Group|Tập đoàn Hoa Sen|Tôn Hoa Sen
HT1|Vicem Ha Tien Cement|Xi măng Hà Tiên|Vicem Hà Tiên
HVN|Vietnam Airlines|Hàng không Việt Nam|Vietnam Airline
IDI|IDI International Development|Đầu tư và Phát triển Đa Quốc Gia IDI|
IJC|Becamex IJC|Phát triển Hạ tầng Kỹ thuật|
IMP|Imexpharm|Dược phẩm Imexpharm|Imexpharm
ITA|Tan Tao Investment|Đầu tư Công nghiệp Tân Tạo|Itaco
KBC|Kinh Bac City|Phát triển Đô thị Kinh Bắc|Kinh Bắc
KDC|KIDO Group|Tập đoàn KIDO|Kido;Kinh Đô
KDH|Khang Dien House|Nhà Khang Điền|Khang Điền
LCG|Lizen|Công ty Lizen|Lizen
LHG|Long Hau|Khu công nghiệp Long Hậu|
LPB|LPBank|Ngân hàng Lộc Phát Việt Nam|LienVietPostBank;LP Bank;Ngân hàng Bưu điện Liên Việt
MBB|Military Commercial Bank (MB)|Ngân hàng Quân đội|MB Bank;MBBank;Military Bank
MIG|Military Insurance|Bảo hiểm Quân đội|
MSB|Maritime Bank|Ngân hàng Hàng Hải Việt Nam|Ngân hàng Hàng Hải
MSH|Song Hong Garment|May Sông Hồng|
MSN|Masan Group|Tập đoàn Masan|Masan
MWG|Mobile World Investment|Đầu tư Thế Giới Di Động|Thế Giới Di Động;Mobile World;Điện Máy Xanh
NAB|Nam A Bank|Ngân hàng Nam Á|
NAF|Nafoods Group|Công ty Nafoods|Nafoods
NKG|Nam Kim Steel|Thép Nam Kim|Tôn Nam Kim
NLG|Nam Long Investment|Đầu tư Nam Long|Nam Long Group
NT2|PetroVietnam Power Nhon Trach 2|Điện lực Dầu khí Nhơn Trạch 2|Nhơn Trạch 2
NTL|Tu Liem Urban Development|Phát triển Đô thị Từ Liêm|Lideco
NVL|Novaland|Đầu tư Địa ốc No Va|Novaland Group;Nova Land
OCB|Orient Commercial Bank|Ngân hàng Phương Đông|
ORS|Tien Phong Securities|Chứng khoán Tiên Phong|
PAN|The PAN Group|Tập đoàn PAN|PAN Group
PC1|PC1 Group|Tập đoàn PC1|
PDR|Phat Dat Real Estate|Bất động sản Phát Đạt|Địa ốc Phát Đạt
PET|Petrosetco|Dịch vụ Tổng hợp Dầu khí|Petrosetco
PHR|Phuoc Hoa Rubber|Cao su Phước Hòa|
PLX|Vietnam National Petroleum (Petrolimex)|Tập đoàn Xăng dầu Việt Nam|Petrolimex
PNJ|Phu Nhuan Jewelry|Vàng bạc Đá quý Phú Nhuận|
POW|PetroVietnam Power|Điện lực Dầu khí Việt Nam|PV Power
PPC|Pha Lai Thermal Power|Nhiệt điện Phả Lại|
PTB|Phu Tai|Công ty Phú Tài|
PVD|PetroVietnam Drilling|Khoan và Dịch vụ Khoan Dầu khí|PV Drilling
PVT|PetroVietnam Transportation|Vận tải Dầu khí|PVTrans;PV Trans
QCG|Quoc Cuong Gia Lai|Quốc Cường Gia Lai|
RAL|Rang Dong Light Source|Bóng đèn Phích nước Rạng Đông|Rạng Đông
REE|REE Corporation|Cơ Điện Lạnh|REE Corp
SAB|Sabeco|Bia Rượu Nước giải khát Sài Gòn|Bia Sài Gòn;Saigon Beer
SBT|TTC AgriS|Thành Thành Công Biên Hòa|AgriS;TTC Sugar
SCR|TTC Land|Địa ốc Sài Gòn Thương Tín|
SCS|Saigon Cargo Service|Dịch vụ Hàng hóa Sài Gòn|
SHB|Saigon - Hanoi Commercial Bank|Ngân hàng Sài Gòn Hà Nội|
SIP|Saigon VRG Investment|Đầu tư Sài Gòn VRG|
SJS|SJ Group|Sông Đà Sudico|Sudico
SSB|Southeast Asia Commercial Bank (SeABank)|Ngân hàng Đông Nam Á|SeABank;Sea Bank
SSI|SSI Securities|Chứng khoán SSI|
STB|Saigon Thuong Tin Bank (Sacombank)|Ngân hàng Sài Gòn Thương Tín|Sacombank
STK|Century Synthetic Fiber|Sợi Thế Kỷ|
SZC|Sonadezi Chau Duc|Sonadezi Châu Đức|
TCB|Vietnam Technological and Commercial Bank (Techcombank)|Ngân hàng Kỹ Thương Việt Nam|Techcombank;Ngân hàng Kỹ Thương
TCH|Hoang Huy Finance|Đầu tư Dịch vụ Tài chính Hoàng Huy|Tài chính Hoàng Huy
TCM|Thanh Cong Textile|Dệt may Thành Công|
TLG|Thien Long Group|Tập đoàn Thiên Long|Bút bi Thiên Long
TPB|TPBank|Ngân hàng Tiên Phong|Tien Phong Bank;TP Bank
TRA|Traphaco|Dược phẩm Traphaco|Traphaco
VCB|Bank for Foreign Trade of Vietnam (Vietcombank)|Ngân hàng Ngoại thương Việt Nam|Vietcombank;Ngân hàng Ngoại thương
VCG|Vinaconex|Xuất nhập khẩu và Xây dựng Việt Nam|Vinaconex
VCI|Vietcap Securities|Chứng khoán Vietcap|Vietcap;Chứng khoán Bản Việt
VDS|Viet Dragon Securities|Chứng khoán Rồng Việt|Rồng Việt
VGC|Viglacera|Tổng Công ty Viglacera|Viglacera
VHC|Vinh Hoan|Thủy sản Vĩnh Hoàn|Vĩnh Hoàn
VHM|Vinhomes|Công ty Vinhomes|Vin Homes
VIB|Vietnam International Bank|Ngân hàng Quốc tế Việt Nam|Ngân hàng Quốc tế;VIB Bank
VIC|Vingroup|Tập đoàn Vingroup|Vin Group;Tập đoàn Vin
VIX|VIX Securities|Chứng khoán VIX|
VJC|Vietjet Aviation|Hàng không Vietjet|Vietjet;Viet Jet;Vietjet Air
VND|VNDIRECT Securities|Chứng khoán VNDIRECT|VNDirect
VNM|Vietnam Dairy Products (Vinamilk)|Sữa Việt Nam|Vinamilk;Vina Milk;Vinamik
VOS|Vietnam Ocean Shipping (Vosco)|Vận tải biển Việt Nam|Vosco
VPB|Vietnam Prosperity Bank (VPBank)|Ngân hàng Việt Nam Thịnh Vượng|VPBank;VP Bank;Ngân hàng Thịnh Vượng
VPI|Van Phu - Invest|Đầu tư Văn Phú|Văn Phú Invest
VPL|Vinpearl|Công ty Vinpearl|Vinpearl
VRE|Vincom Retail|Công ty Vincom Retail|Vincom
VSC|Vietnam Container Shipping|Container Việt Nam|Viconship
VSH|Vinh Son - Song Hinh Hydropower|Thủy điện Vĩnh Sơn Sông Hinh|
VTP|Viettel Post|Bưu chính Viettel|ViettelPost
YEG|Yeah1 Group|Tập đoàn Yeah1|Yeah1`,
  HNX: `
BAB|Bac A Bank|Ngân hàng Bắc Á|
BVS|Bao Viet Securities|Chứng khoán Bảo Việt|
CEO|C.E.O Group|Tập đoàn C.E.O|CEO Group
HUT|Tasco|Công ty Tasco|Tasco
IDC|IDICO|Tổng Công ty IDICO|Idico
LAS|Lam Thao Fertilizers|Supe Phốt phát Lâm Thao|
MBS|MB Securities|Chứng khoán MB|
NTP|Tien Phong Plastic|Nhựa Thiếu niên Tiền Phong|Nhựa Tiền Phong
NVB|National Citizen Bank|Ngân hàng Quốc Dân|
PTI|Post and Telecommunication Insurance|Bảo hiểm Bưu điện|
PVI|PVI Holdings|Bảo hiểm PVI|
PVS|PetroVietnam Technical Services|Dịch vụ Kỹ thuật Dầu khí|PTSC
SHS|Saigon - Hanoi Securities|Chứng khoán Sài Gòn Hà Nội|
TNG|TNG Investment and Trading|Đầu tư và Thương mại TNG|May TNG
VCS|Vicostone|Công ty Vicostone|Vicostone`,
  UPCOM: `
ABB|An Binh Bank|Ngân hàng An Bình|ABBank
ACV|Airports Corporation of Vietnam|Cảng hàng không Việt Nam|
BVB|Viet Capital Bank|Ngân hàng Bản Việt|BVBank
C4G|Cienco4 Group|Tập đoàn Cienco4|Cienco4
DVN|Vietnam Pharmaceutical (Vinapharm)|Dược Việt Nam|Vinapharm
FOX|FPT Telecom|Viễn thông FPT|
HBC|Hoa Binh Construction|Xây dựng Hòa Bình|Tập đoàn Xây dựng Hòa Bình
HNG|HAGL Agrico|Nông nghiệp Quốc tế Hoàng Anh Gia Lai|
KLB|Kienlongbank|Ngân hàng Kiên Long|Kienlong Bank
LTG|Loc Troi Group|Tập đoàn Lộc Trời|Lộc Trời
MCH|Masan Consumer|Hàng tiêu dùng Masan|Masan Consumer Corporation
MML|Masan MEATLife|Thịt Masan|Masan Meat Life
MPC|Minh Phu Seafood|Thủy sản Minh Phú|Minh Phú
MSR|Masan High-Tech Materials|Vật liệu công nghệ cao Masan|
OIL|PetroVietnam Oil|Tổng Công ty Dầu Việt Nam|PV Oil;PVOil
PGB|PGBank|Ngân hàng Thịnh vượng và Phát triển|PG Bank
QNS|Quang Ngai Sugar|Đường Quảng Ngãi|Vinasoy
SGB|Saigonbank|Ngân hàng Sài Gòn Công Thương|Saigon Bank for Industry and Trade
TVN|Vietnam Steel|Tổng Công ty Thép Việt Nam|VNSteel
VAB|Viet A Bank|Ngân hàng Việt Á|VietABank
VBB|VietBank|Ngân hàng Việt Nam Thương Tín|Viet Bank
VEA|Vietnam Engine and Agricultural Machinery|Máy động lực và Máy nông nghiệp Việt Nam|VEAM
VGI|Viettel Global|Đầu tư Quốc tế Viettel|
VGT|Vinatex|Tập đoàn Dệt May Việt Nam|Vinatex
VNZ|VNG Corporation|Tập đoàn VNG|VNG Corp`,
};
