/* pg_catalog: names, numbers and columns as PostgreSQL 15 has them.
 * A column is its name and the letter of its type, see catalogue_parts.h. Made by tools/catalogue_tables. */
#include "serve/catalogue_parts.h"

const struct catalogue_relation catalogue_of_postgres[] = {
    {"pg_aggregate", 2600, 'r',
     "aggfnoid p,aggkind c,aggnumdirectargs s,aggtransfn p,aggfinalfn p,aggcombinefn p,"
     "aggserialfn p,aggdeserialfn p,aggmtransfn p,aggminvtransfn p,aggmfinalfn p,aggfinalextra b,"
     "aggmfinalextra b,aggfinalmodify c,aggmfinalmodify c,aggsortop o,aggtranstype o,"
     "aggtransspace i,aggmtranstype o,aggmtransspace i,agginitval t,aggminitval t"},
    {"pg_am", 2601, 'r', "oid o,amname n,amhandler p,amtype c"},
    {"pg_amop", 2602, 'r',
     "oid o,amopfamily o,amoplefttype o,amoprighttype o,amopstrategy s,amoppurpose c,amopopr o,"
     "amopmethod o,amopsortfamily o"},
    {"pg_amproc", 2603, 'r', "oid o,amprocfamily o,amproclefttype o,amprocrighttype o,amprocnum s,amproc p"},
    {"pg_attrdef", 2604, 'r', "oid o,adrelid o,adnum s,adbin e"},
    {"pg_attribute", 1249, 'r',
     "attrelid o,attname n,atttypid o,attstattarget i,attlen s,attnum s,attndims i,attcacheoff i,"
     "atttypmod i,attbyval b,attalign c,attstorage c,attcompression c,attnotnull b,atthasdef b,"
     "atthasmissing b,attidentity c,attgenerated c,attisdropped b,attislocal b,attinhcount i,"
     "attcollation o,attacl A,attoptions T,attfdwoptions T,attmissingval t"},
    {"pg_auth_members", 1261, 'r', "roleid o,member o,grantor o,admin_option b"},
    {"pg_authid", 1260, 'r',
     "oid o,rolname n,rolsuper b,rolinherit b,rolcreaterole b,rolcreatedb b,rolcanlogin b,"
     "rolreplication b,rolbypassrls b,rolconnlimit i,rolpassword t,rolvaliduntil z"},
    {"pg_available_extension_versions", 12085, 'v',
     "name n,version t,installed b,superuser b,trusted b,relocatable b,schema n,requires N,"
     "comment t"},
    {"pg_available_extensions", 12081, 'v', "name n,default_version t,installed_version t,comment t"},
    {"pg_cast", 2605, 'r', "oid o,castsource o,casttarget o,castfunc o,castcontext c,castmethod c"},
    {"pg_class", 1259, 'r',
     "oid o,relname n,relnamespace o,reltype o,reloftype o,relowner o,relam o,relfilenode o,"
     "reltablespace o,relpages i,reltuples f,relallvisible i,reltoastrelid o,relhasindex b,"
     "relisshared b,relpersistence c,relkind c,relnatts s,relchecks s,relhasrules b,"
     "relhastriggers b,relhassubclass b,relrowsecurity b,relforcerowsecurity b,relispopulated b,"
     "relreplident c,relispartition b,relrewrite o,relfrozenxid x,relminmxid x,relacl A,"
     "reloptions T,relpartbound e"},
    {"pg_collation", 3456, 'r',
     "oid o,collname n,collnamespace o,collowner o,collprovider c,collisdeterministic b,"
     "collencoding i,collcollate t,collctype t,colliculocale t,collversion t"},
    {"pg_constraint", 2606, 'r',
     "oid o,conname n,connamespace o,contype c,condeferrable b,condeferred b,convalidated b,"
     "conrelid o,contypid o,conindid o,conparentid o,confrelid o,confupdtype c,confdeltype c,"
     "confmatchtype c,conislocal b,coninhcount i,connoinherit b,conkey S,confkey S,conpfeqop O,"
     "conppeqop O,conffeqop O,confdelsetcols S,conexclop O,conbin e"},
    {"pg_conversion", 2607, 'r',
     "oid o,conname n,connamespace o,conowner o,conforencoding i,contoencoding i,conproc p,"
     "condefault b"},
    {"pg_cursors", 12077, 'v',
     "name t,statement t,is_holdable b,is_binary b,is_scrollable b,creation_time z"},
    {"pg_database", 1262, 'r',
     "oid o,datname n,datdba o,encoding i,datlocprovider c,datistemplate b,datallowconn b,"
     "datconnlimit i,datfrozenxid x,datminmxid x,dattablespace o,datcollate t,datctype t,"
     "daticulocale t,datcollversion t,datacl A"},
    {"pg_db_role_setting", 2964, 'r', "setdatabase o,setrole o,setconfig T"},
    {"pg_default_acl", 826, 'r', "oid o,defaclrole o,defaclnamespace o,defaclobjtype c,defaclacl A"},
    {"pg_depend", 2608, 'r', "classid o,objid o,objsubid i,refclassid o,refobjid o,refobjsubid i,deptype c"},
    {"pg_description", 2609, 'r', "objoid o,classoid o,objsubid i,description t"},
    {"pg_enum", 3501, 'r', "oid o,enumtypid o,enumsortorder f,enumlabel n"},
    {"pg_event_trigger", 3466, 'r', "oid o,evtname n,evtevent n,evtowner o,evtfoid o,evtenabled c,evttags T"},
    {"pg_extension", 3079, 'r',
     "oid o,extname n,extowner o,extnamespace o,extrelocatable b,extversion t,extconfig O,"
     "extcondition T"},
    {"pg_foreign_data_wrapper", 2328, 'r',
     "oid o,fdwname n,fdwowner o,fdwhandler o,fdwvalidator o,fdwacl A,fdwoptions T"},
    {"pg_foreign_server", 1417, 'r',
     "oid o,srvname n,srvowner o,srvfdw o,srvtype t,srvversion t,srvacl A,srvoptions T"},
    {"pg_foreign_table", 3118, 'r', "ftrelid o,ftserver o,ftoptions T"},
    {"pg_group", 12010, 'v', "groname n,grosysid o,grolist O"},
    {"pg_index", 2610, 'r',
     "indexrelid o,indrelid o,indnatts s,indnkeyatts s,indisunique b,indnullsnotdistinct b,"
     "indisprimary b,indisexclusion b,indimmediate b,indisclustered b,indisvalid b,indcheckxmin b,"
     "indisready b,indislive b,indisreplident b,indkey V,indcollation W,indclass W,indoption V,"
     "indexprs e,indpred e"},
    {"pg_indexes", 12043, 'v', "schemaname n,tablename n,indexname n,tablespace n,indexdef t"},
    {"pg_inherits", 2611, 'r', "inhrelid o,inhparent o,inhseqno i,inhdetachpending b"},
    {"pg_init_privs", 3394, 'r', "objoid o,classoid o,objsubid i,privtype c,initprivs A"},
    {"pg_language", 2612, 'r',
     "oid o,lanname n,lanowner o,lanispl b,lanpltrusted b,lanplcallfoid o,laninline o,"
     "lanvalidator o,lanacl A"},
    {"pg_largeobject", 2613, 'r', "loid o,pageno i,data t"},
    {"pg_largeobject_metadata", 2995, 'r', "oid o,lomowner o,lomacl A"},
    {"pg_locks", 12073, 'v',
     "locktype t,database o,relation o,page i,tuple s,virtualxid t,transactionid x,classid o,"
     "objid o,objsubid s,virtualtransaction t,pid i,mode t,granted b,fastpath b,waitstart z"},
    {"pg_matviews", 12038, 'v',
     "schemaname n,matviewname n,matviewowner n,tablespace n,hasindexes b,ispopulated b,"
     "definition t"},
    {"pg_namespace", 2615, 'r', "oid o,nspname n,nspowner o,nspacl A"},
    {"pg_opclass", 2616, 'r',
     "oid o,opcmethod o,opcname n,opcnamespace o,opcowner o,opcfamily o,opcintype o,opcdefault b,"
     "opckeytype o"},
    {"pg_operator", 2617, 'r',
     "oid o,oprname n,oprnamespace o,oprowner o,oprkind c,oprcanmerge b,oprcanhash b,oprleft o,"
     "oprright o,oprresult o,oprcom o,oprnegate o,oprcode p,oprrest p,oprjoin p"},
    {"pg_opfamily", 2753, 'r', "oid o,opfmethod o,opfname n,opfnamespace o,opfowner o"},
    {"pg_parameter_acl", 6243, 'r', "oid o,parname t,paracl A"},
    {"pg_partitioned_table", 3350, 'r',
     "partrelid o,partstrat c,partnatts s,partdefid o,partattrs V,partclass W,partcollation W,"
     "partexprs e"},
    {"pg_policies", 12018, 'v',
     "schemaname n,tablename n,policyname n,permissive t,roles N,cmd t,qual t,with_check t"},
    {"pg_policy", 3256, 'r',
     "oid o,polname n,polrelid o,polcmd c,polpermissive b,polroles O,polqual e,polwithcheck e"},
    {"pg_prepared_statements", 12095, 'v',
     "name t,statement t,prepare_time z,parameter_types O,from_sql b,generic_plans l,"
     "custom_plans l"},
    {"pg_prepared_xacts", 12090, 'v', "transaction x,gid t,prepared z,owner n,database n"},
    {"pg_proc", 1255, 'r',
     "oid o,proname n,pronamespace o,proowner o,prolang o,procost f,prorows f,provariadic o,"
     "prosupport p,prokind c,prosecdef b,proleakproof b,proisstrict b,proretset b,provolatile c,"
     "proparallel c,pronargs s,pronargdefaults s,prorettype o,proargtypes W,proallargtypes O,"
     "proargmodes C,proargnames T,proargdefaults e,protrftypes O,prosrc t,probin t,prosqlbody e,"
     "proconfig T,proacl A"},
    {"pg_publication", 6104, 'r',
     "oid o,pubname n,pubowner o,puballtables b,pubinsert b,pubupdate b,pubdelete b,pubtruncate b,"
     "pubviaroot b"},
    {"pg_publication_namespace", 6237, 'r', "oid o,pnpubid o,pnnspid o"},
    {"pg_publication_rel", 6106, 'r', "oid o,prpubid o,prrelid o,prqual e,prattrs V"},
    {"pg_publication_tables", 12068, 'v', "pubname n,schemaname n,tablename n,attnames N,rowfilter t"},
    {"pg_range", 3541, 'r',
     "rngtypid o,rngsubtype o,rngmultitypid o,rngcollation o,rngsubopc o,rngcanonical p,"
     "rngsubdiff p"},
    {"pg_replication_origin", 6000, 'r', "roident o,roname t"},
    {"pg_replication_slots", 12257, 'v',
     "slot_name n,plugin n,slot_type t,datoid o,database n,temporary b,active b,active_pid i,"
     "xmin x,catalog_xmin x,restart_lsn t,confirmed_flush_lsn t,wal_status t,safe_wal_size l,"
     "two_phase b"},
    {"pg_rewrite", 2618, 'r',
     "oid o,rulename n,ev_class o,ev_type c,ev_enabled c,is_instead b,ev_qual e,ev_action e"},
    {"pg_roles", 12000, 'v',
     "rolname n,rolsuper b,rolinherit b,rolcreaterole b,rolcreatedb b,rolcanlogin b,"
     "rolreplication b,rolconnlimit i,rolpassword t,rolvaliduntil z,rolbypassrls b,rolconfig T,"
     "oid o"},
    {"pg_rules", 12023, 'v', "schemaname n,tablename n,rulename n,definition t"},
    {"pg_seclabel", 3596, 'r', "objoid o,classoid o,objsubid i,provider t,label t"},
    {"pg_seclabels", 12099, 'v',
     "objoid o,classoid o,objsubid i,objtype t,objnamespace o,objname t,provider t,label t"},
    {"pg_sequence", 2224, 'r',
     "seqrelid o,seqtypid o,seqstart l,seqincrement l,seqmax l,seqmin l,seqcache l,seqcycle b"},
    {"pg_sequences", 12048, 'v',
     "schemaname n,sequencename n,sequenceowner n,data_type y,start_value l,min_value l,"
     "max_value l,increment_by l,cycle b,cache_size l,last_value l"},
    {"pg_settings", 12104, 'v',
     "name t,setting t,unit t,category t,short_desc t,extra_desc t,context t,vartype t,source t,"
     "min_val t,max_val t,enumvals T,boot_val t,reset_val t,sourcefile t,sourceline i,"
     "pending_restart b"},
    {"pg_shadow", 12005, 'v',
     "usename n,usesysid o,usecreatedb b,usesuper b,userepl b,usebypassrls b,passwd t,valuntil z,"
     "useconfig T"},
    {"pg_shdepend", 1214, 'r', "dbid o,classid o,objid o,objsubid i,refclassid o,refobjid o,deptype c"},
    {"pg_shdescription", 2396, 'r', "objoid o,classoid o,description t"},
    {"pg_shseclabel", 3592, 'r', "objoid o,classoid o,provider t,label t"},
    {"pg_stat_activity", 12222, 'v',
     "datid o,datname n,pid i,leader_pid i,usesysid o,usename n,application_name t,client_addr t,"
     "client_hostname t,client_port i,backend_start z,xact_start z,query_start z,state_change z,"
     "wait_event_type t,wait_event t,state t,backend_xid x,backend_xmin x,query_id l,query t,"
     "backend_type t"},
    {"pg_stat_all_indexes", 12183, 'v',
     "relid o,indexrelid o,schemaname n,relname n,indexrelname n,idx_scan l,idx_tup_read l,"
     "idx_tup_fetch l"},
    {"pg_stat_all_tables", 12142, 'v',
     "relid o,schemaname n,relname n,seq_scan l,seq_tup_read l,idx_scan l,idx_tup_fetch l,"
     "n_tup_ins l,n_tup_upd l,n_tup_del l,n_tup_hot_upd l,n_live_tup l,n_dead_tup l,"
     "n_mod_since_analyze l,n_ins_since_vacuum l,last_vacuum z,last_autovacuum z,last_analyze z,"
     "last_autoanalyze z,vacuum_count l,autovacuum_count l,analyze_count l,autoanalyze_count l"},
    {"pg_stat_database", 12266, 'v',
     "datid o,datname n,numbackends i,xact_commit l,xact_rollback l,blks_read l,blks_hit l,"
     "tup_returned l,tup_fetched l,tup_inserted l,tup_updated l,tup_deleted l,conflicts l,"
     "temp_files l,temp_bytes l,deadlocks l,checksum_failures l,checksum_last_failure z,"
     "blk_read_time d,blk_write_time d,session_time d,active_time d,idle_in_transaction_time d,"
     "sessions l,sessions_abandoned l,sessions_fatal l,sessions_killed l,stats_reset z"},
    {"pg_stat_replication", 12227, 'v',
     "pid i,usesysid o,usename n,application_name t,client_addr t,client_hostname t,client_port i,"
     "backend_start z,backend_xmin x,state t,sent_lsn t,write_lsn t,flush_lsn t,replay_lsn t,"
     "write_lag t,flush_lag t,replay_lag t,sync_priority i,sync_state t,reply_time z"},
    {"pg_stat_ssl", 12249, 'v',
     "pid i,ssl b,version t,cipher t,bits i,client_dn t,client_serial d,issuer_dn t"},
    {"pg_stat_user_indexes", 12192, 'v',
     "relid o,indexrelid o,schemaname n,relname n,indexrelname n,idx_scan l,idx_tup_read l,"
     "idx_tup_fetch l"},
    {"pg_stat_user_tables", 12161, 'v',
     "relid o,schemaname n,relname n,seq_scan l,seq_tup_read l,idx_scan l,idx_tup_fetch l,"
     "n_tup_ins l,n_tup_upd l,n_tup_del l,n_tup_hot_upd l,n_live_tup l,n_dead_tup l,"
     "n_mod_since_analyze l,n_ins_since_vacuum l,last_vacuum z,last_autovacuum z,last_analyze z,"
     "last_autoanalyze z,vacuum_count l,autovacuum_count l,analyze_count l,autoanalyze_count l"},
    {"pg_statio_all_tables", 12170, 'v',
     "relid o,schemaname n,relname n,heap_blks_read l,heap_blks_hit l,idx_blks_read l,"
     "idx_blks_hit l,toast_blks_read l,toast_blks_hit l,tidx_blks_read l,tidx_blks_hit l"},
    {"pg_statio_user_tables", 12179, 'v',
     "relid o,schemaname n,relname n,heap_blks_read l,heap_blks_hit l,idx_blks_read l,"
     "idx_blks_hit l,toast_blks_read l,toast_blks_hit l,tidx_blks_read l,tidx_blks_hit l"},
    {"pg_statistic", 2619, 'r',
     "starelid o,staattnum s,stainherit b,stanullfrac f,stawidth i,stadistinct f,stakind1 s,"
     "stakind2 s,stakind3 s,stakind4 s,stakind5 s,staop1 o,staop2 o,staop3 o,staop4 o,staop5 o,"
     "stacoll1 o,stacoll2 o,stacoll3 o,stacoll4 o,stacoll5 o,stanumbers1 T,stanumbers2 T,"
     "stanumbers3 T,stanumbers4 T,stanumbers5 T,stavalues1 t,stavalues2 t,stavalues3 t,"
     "stavalues4 t,stavalues5 t"},
    {"pg_statistic_ext", 3381, 'r',
     "oid o,stxrelid o,stxname n,stxnamespace o,stxowner o,stxstattarget i,stxkeys V,stxkind C,"
     "stxexprs e"},
    {"pg_statistic_ext_data", 3429, 'r',
     "stxoid o,stxdinherit b,stxdndistinct t,stxddependencies t,stxdmcv t,stxdexpr t"},
    {"pg_stats", 12053, 'v',
     "schemaname n,tablename n,attname n,inherited b,null_frac f,avg_width i,n_distinct f,"
     "most_common_vals t,most_common_freqs T,histogram_bounds t,correlation f,most_common_elems t,"
     "most_common_elem_freqs T,elem_count_histogram T"},
    {"pg_subscription", 6100, 'r',
     "oid o,subdbid o,subskiplsn t,subname n,subowner o,subenabled b,subbinary b,substream b,"
     "subtwophasestate c,subdisableonerr b,subconninfo t,subslotname n,subsynccommit t,"
     "subpublications T"},
    {"pg_subscription_rel", 6102, 'r', "srsubid o,srrelid o,srsubstate c,srsublsn t"},
    {"pg_tables", 12033, 'v',
     "schemaname n,tablename n,tableowner n,tablespace n,hasindexes b,hasrules b,hastriggers b,"
     "rowsecurity b"},
    {"pg_tablespace", 1213, 'r', "oid o,spcname n,spcowner o,spcacl A,spcoptions T"},
    {"pg_timezone_abbrevs", 12122, 'v', "abbrev t,utc_offset t,is_dst b"},
    {"pg_timezone_names", 12126, 'v', "name t,abbrev t,utc_offset t,is_dst b"},
    {"pg_transform", 3576, 'r', "oid o,trftype o,trflang o,trffromsql p,trftosql p"},
    {"pg_trigger", 2620, 'r',
     "oid o,tgrelid o,tgparentid o,tgname n,tgfoid o,tgtype s,tgenabled c,tgisinternal b,"
     "tgconstrrelid o,tgconstrindid o,tgconstraint o,tgdeferrable b,tginitdeferred b,tgnargs s,"
     "tgattr V,tgargs t,tgqual e,tgoldtable n,tgnewtable n"},
    {"pg_ts_config", 3602, 'r', "oid o,cfgname n,cfgnamespace o,cfgowner o,cfgparser o"},
    {"pg_ts_config_map", 3603, 'r', "mapcfg o,maptokentype i,mapseqno i,mapdict o"},
    {"pg_ts_dict", 3600, 'r', "oid o,dictname n,dictnamespace o,dictowner o,dicttemplate o,dictinitoption t"},
    {"pg_ts_parser", 3601, 'r',
     "oid o,prsname n,prsnamespace o,prsstart p,prstoken p,prsend p,prsheadline p,prslextype p"},
    {"pg_ts_template", 3764, 'r', "oid o,tmplname n,tmplnamespace o,tmplinit p,tmpllexize p"},
    {"pg_type", 1247, 'r',
     "oid o,typname n,typnamespace o,typowner o,typlen s,typbyval b,typtype c,typcategory c,"
     "typispreferred b,typisdefined b,typdelim c,typrelid o,typsubscript p,typelem o,typarray o,"
     "typinput p,typoutput p,typreceive p,typsend p,typmodin p,typmodout p,typanalyze p,"
     "typalign c,typstorage c,typnotnull b,typbasetype o,typtypmod i,typndims i,typcollation o,"
     "typdefaultbin e,typdefault t,typacl A"},
    {"pg_user", 12014, 'v',
     "usename n,usesysid o,usecreatedb b,usesuper b,userepl b,usebypassrls b,passwd t,valuntil z,"
     "useconfig T"},
    {"pg_user_mapping", 1418, 'r', "oid o,umuser o,umserver o,umoptions T"},
    {"pg_user_mappings", 12327, 'v', "umid o,srvid o,srvname n,umuser o,usename n,umoptions T"},
    {"pg_views", 12028, 'v', "schemaname n,viewname n,viewowner n,definition t"},
    {NULL, 0, 0, NULL},
};
