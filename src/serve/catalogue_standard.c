/* information_schema: names, numbers and columns as PostgreSQL 15 has them.
 * A column is its name and the letter of its type, see catalogue_parts.h. Made by tools/catalogue_tables. */
#include "serve/catalogue_parts.h"

const struct catalogue_relation catalogue_of_standard[] = {
    {"administrable_role_authorizations", 13241, 'v', "grantee n,role_name n,is_grantable v"},
    {"applicable_roles", 13236, 'v', "grantee n,role_name n,is_grantable v"},
    {"attributes", 13245, 'v',
     "udt_catalog n,udt_schema n,udt_name n,attribute_name n,ordinal_position i,"
     "attribute_default v,is_nullable v,data_type v,character_maximum_length i,"
     "character_octet_length i,character_set_catalog n,character_set_schema n,"
     "character_set_name n,collation_catalog n,collation_schema n,collation_name n,"
     "numeric_precision i,numeric_precision_radix i,numeric_scale i,datetime_precision i,"
     "interval_type v,interval_precision i,attribute_udt_catalog n,attribute_udt_schema n,"
     "attribute_udt_name n,scope_catalog n,scope_schema n,scope_name n,maximum_cardinality i,"
     "dtd_identifier n,is_derived_reference_attribute v"},
    {"character_sets", 13250, 'v',
     "character_set_catalog n,character_set_schema n,character_set_name n,character_repertoire n,"
     "form_of_use n,default_collate_catalog n,default_collate_schema n,default_collate_name n"},
    {"check_constraint_routine_usage", 13255, 'v',
     "constraint_catalog n,constraint_schema n,constraint_name n,specific_catalog n,"
     "specific_schema n,specific_name n"},
    {"check_constraints", 13260, 'v',
     "constraint_catalog n,constraint_schema n,constraint_name n,check_clause v"},
    {"collation_character_set_applicability", 13270, 'v',
     "collation_catalog n,collation_schema n,collation_name n,character_set_catalog n,"
     "character_set_schema n,character_set_name n"},
    {"collations", 13265, 'v', "collation_catalog n,collation_schema n,collation_name n,pad_attribute v"},
    {"column_column_usage", 13275, 'v',
     "table_catalog n,table_schema n,table_name n,column_name n,dependent_column n"},
    {"column_domain_usage", 13280, 'v',
     "domain_catalog n,domain_schema n,domain_name n,table_catalog n,table_schema n,table_name n,"
     "column_name n"},
    {"column_options", 13503, 'v',
     "table_catalog n,table_schema n,table_name n,column_name n,option_name n,option_value v"},
    {"column_privileges", 13285, 'v',
     "grantor n,grantee n,table_catalog n,table_schema n,table_name n,column_name n,"
     "privilege_type v,is_grantable v"},
    {"column_udt_usage", 13290, 'v',
     "udt_catalog n,udt_schema n,udt_name n,table_catalog n,table_schema n,table_name n,"
     "column_name n"},
    {"columns", 13295, 'v',
     "table_catalog n,table_schema n,table_name n,column_name n,ordinal_position i,"
     "column_default v,is_nullable v,data_type v,character_maximum_length i,"
     "character_octet_length i,numeric_precision i,numeric_precision_radix i,numeric_scale i,"
     "datetime_precision i,interval_type v,interval_precision i,character_set_catalog n,"
     "character_set_schema n,character_set_name n,collation_catalog n,collation_schema n,"
     "collation_name n,domain_catalog n,domain_schema n,domain_name n,udt_catalog n,udt_schema n,"
     "udt_name n,scope_catalog n,scope_schema n,scope_name n,maximum_cardinality i,"
     "dtd_identifier n,is_self_referencing v,is_identity v,identity_generation v,identity_start v,"
     "identity_increment v,identity_maximum v,identity_minimum v,identity_cycle v,is_generated v,"
     "generation_expression v,is_updatable v"},
    {"constraint_column_usage", 13300, 'v',
     "table_catalog n,table_schema n,table_name n,column_name n,constraint_catalog n,"
     "constraint_schema n,constraint_name n"},
    {"constraint_table_usage", 13305, 'v',
     "table_catalog n,table_schema n,table_name n,constraint_catalog n,constraint_schema n,"
     "constraint_name n"},
    {"data_type_privileges", 13488, 'v',
     "object_catalog n,object_schema n,object_name n,object_type v,dtd_identifier n"},
    {"domain_constraints", 13310, 'v',
     "constraint_catalog n,constraint_schema n,constraint_name n,domain_catalog n,domain_schema n,"
     "domain_name n,is_deferrable v,initially_deferred v"},
    {"domain_udt_usage", 13315, 'v',
     "udt_catalog n,udt_schema n,udt_name n,domain_catalog n,domain_schema n,domain_name n"},
    {"domains", 13320, 'v',
     "domain_catalog n,domain_schema n,domain_name n,data_type v,character_maximum_length i,"
     "character_octet_length i,character_set_catalog n,character_set_schema n,"
     "character_set_name n,collation_catalog n,collation_schema n,collation_name n,"
     "numeric_precision i,numeric_precision_radix i,numeric_scale i,datetime_precision i,"
     "interval_type v,interval_precision i,domain_default v,udt_catalog n,udt_schema n,udt_name n,"
     "scope_catalog n,scope_schema n,scope_name n,maximum_cardinality i,dtd_identifier n"},
    {"element_types", 13493, 'v',
     "object_catalog n,object_schema n,object_name n,object_type v,collection_type_identifier n,"
     "data_type v,character_maximum_length i,character_octet_length i,character_set_catalog n,"
     "character_set_schema n,character_set_name n,collation_catalog n,collation_schema n,"
     "collation_name n,numeric_precision i,numeric_precision_radix i,numeric_scale i,"
     "datetime_precision i,interval_type v,interval_precision i,domain_default v,udt_catalog n,"
     "udt_schema n,udt_name n,scope_catalog n,scope_schema n,scope_name n,maximum_cardinality i,"
     "dtd_identifier n"},
    {"enabled_roles", 13325, 'v', "role_name n"},
    {"foreign_data_wrapper_options", 13511, 'v',
     "foreign_data_wrapper_catalog n,foreign_data_wrapper_name n,option_name n,option_value v"},
    {"foreign_data_wrappers", 13515, 'v',
     "foreign_data_wrapper_catalog n,foreign_data_wrapper_name n,authorization_identifier n,"
     "library_name v,foreign_data_wrapper_language v"},
    {"foreign_server_options", 13524, 'v',
     "foreign_server_catalog n,foreign_server_name n,option_name n,option_value v"},
    {"foreign_servers", 13528, 'v',
     "foreign_server_catalog n,foreign_server_name n,foreign_data_wrapper_catalog n,"
     "foreign_data_wrapper_name n,foreign_server_type v,foreign_server_version v,"
     "authorization_identifier n"},
    {"foreign_table_options", 13537, 'v',
     "foreign_table_catalog n,foreign_table_schema n,foreign_table_name n,option_name n,"
     "option_value v"},
    {"foreign_tables", 13541, 'v',
     "foreign_table_catalog n,foreign_table_schema n,foreign_table_name n,"
     "foreign_server_catalog n,foreign_server_name n"},
    {"information_schema_catalog_name", 13227, 'v', "catalog_name n"},
    {"key_column_usage", 13329, 'v',
     "constraint_catalog n,constraint_schema n,constraint_name n,table_catalog n,table_schema n,"
     "table_name n,column_name n,ordinal_position i,position_in_unique_constraint i"},
    {"parameters", 13334, 'v',
     "specific_catalog n,specific_schema n,specific_name n,ordinal_position i,parameter_mode v,"
     "is_result v,as_locator v,parameter_name n,data_type v,character_maximum_length i,"
     "character_octet_length i,character_set_catalog n,character_set_schema n,"
     "character_set_name n,collation_catalog n,collation_schema n,collation_name n,"
     "numeric_precision i,numeric_precision_radix i,numeric_scale i,datetime_precision i,"
     "interval_type v,interval_precision i,udt_catalog n,udt_schema n,udt_name n,scope_catalog n,"
     "scope_schema n,scope_name n,maximum_cardinality i,dtd_identifier n,parameter_default v"},
    {"referential_constraints", 13339, 'v',
     "constraint_catalog n,constraint_schema n,constraint_name n,unique_constraint_catalog n,"
     "unique_constraint_schema n,unique_constraint_name n,match_option v,update_rule v,"
     "delete_rule v"},
    {"role_column_grants", 13344, 'v',
     "grantor n,grantee n,table_catalog n,table_schema n,table_name n,column_name n,"
     "privilege_type v,is_grantable v"},
    {"role_routine_grants", 13358, 'v',
     "grantor n,grantee n,specific_catalog n,specific_schema n,specific_name n,routine_catalog n,"
     "routine_schema n,routine_name n,privilege_type v,is_grantable v"},
    {"role_table_grants", 13421, 'v',
     "grantor n,grantee n,table_catalog n,table_schema n,table_name n,privilege_type v,"
     "is_grantable v,with_hierarchy v"},
    {"role_udt_grants", 13450, 'v',
     "grantor n,grantee n,udt_catalog n,udt_schema n,udt_name n,privilege_type v,is_grantable v"},
    {"role_usage_grants", 13459, 'v',
     "grantor n,grantee n,object_catalog n,object_schema n,object_name n,object_type v,"
     "privilege_type v,is_grantable v"},
    {"routine_column_usage", 13348, 'v',
     "specific_catalog n,specific_schema n,specific_name n,routine_catalog n,routine_schema n,"
     "routine_name n,table_catalog n,table_schema n,table_name n,column_name n"},
    {"routine_privileges", 13353, 'v',
     "grantor n,grantee n,specific_catalog n,specific_schema n,specific_name n,routine_catalog n,"
     "routine_schema n,routine_name n,privilege_type v,is_grantable v"},
    {"routine_routine_usage", 13362, 'v',
     "specific_catalog n,specific_schema n,specific_name n,routine_catalog n,routine_schema n,"
     "routine_name n"},
    {"routine_sequence_usage", 13367, 'v',
     "specific_catalog n,specific_schema n,specific_name n,routine_catalog n,routine_schema n,"
     "routine_name n,sequence_catalog n,sequence_schema n,sequence_name n"},
    {"routine_table_usage", 13372, 'v',
     "specific_catalog n,specific_schema n,specific_name n,routine_catalog n,routine_schema n,"
     "routine_name n,table_catalog n,table_schema n,table_name n"},
    {"routines", 13377, 'v',
     "specific_catalog n,specific_schema n,specific_name n,routine_catalog n,routine_schema n,"
     "routine_name n,routine_type v,module_catalog n,module_schema n,module_name n,udt_catalog n,"
     "udt_schema n,udt_name n,data_type v,character_maximum_length i,character_octet_length i,"
     "character_set_catalog n,character_set_schema n,character_set_name n,collation_catalog n,"
     "collation_schema n,collation_name n,numeric_precision i,numeric_precision_radix i,"
     "numeric_scale i,datetime_precision i,interval_type v,interval_precision i,"
     "type_udt_catalog n,type_udt_schema n,type_udt_name n,scope_catalog n,scope_schema n,"
     "scope_name n,maximum_cardinality i,dtd_identifier n,routine_body v,routine_definition v,"
     "external_name v,external_language v,parameter_style v,is_deterministic v,sql_data_access v,"
     "is_null_call v,sql_path v,schema_level_routine v,max_dynamic_result_sets i,"
     "is_user_defined_cast v,is_implicitly_invocable v,security_type v,to_sql_specific_catalog n,"
     "to_sql_specific_schema n,to_sql_specific_name n,as_locator v,created z,last_altered z,"
     "new_savepoint_level v,is_udt_dependent v,result_cast_from_data_type v,"
     "result_cast_as_locator v,result_cast_char_max_length i,result_cast_char_octet_length i,"
     "result_cast_char_set_catalog n,result_cast_char_set_schema n,result_cast_char_set_name n,"
     "result_cast_collation_catalog n,result_cast_collation_schema n,result_cast_collation_name n,"
     "result_cast_numeric_precision i,result_cast_numeric_precision_radix i,"
     "result_cast_numeric_scale i,result_cast_datetime_precision i,result_cast_interval_type v,"
     "result_cast_interval_precision i,result_cast_type_udt_catalog n,"
     "result_cast_type_udt_schema n,result_cast_type_udt_name n,result_cast_scope_catalog n,"
     "result_cast_scope_schema n,result_cast_scope_name n,result_cast_maximum_cardinality i,"
     "result_cast_dtd_identifier n"},
    {"schemata", 13382, 'v',
     "catalog_name n,schema_name n,schema_owner n,default_character_set_catalog n,"
     "default_character_set_schema n,default_character_set_name n,sql_path v"},
    {"sequences", 13386, 'v',
     "sequence_catalog n,sequence_schema n,sequence_name n,data_type v,numeric_precision i,"
     "numeric_precision_radix i,numeric_scale i,start_value v,minimum_value v,maximum_value v,"
     "increment v,cycle_option v"},
    {"table_constraints", 13411, 'v',
     "constraint_catalog n,constraint_schema n,constraint_name n,table_catalog n,table_schema n,"
     "table_name n,constraint_type v,is_deferrable v,initially_deferred v,enforced v,"
     "nulls_distinct v"},
    {"table_privileges", 13416, 'v',
     "grantor n,grantee n,table_catalog n,table_schema n,table_name n,privilege_type v,"
     "is_grantable v,with_hierarchy v"},
    {"tables", 13425, 'v',
     "table_catalog n,table_schema n,table_name n,table_type v,self_referencing_column_name n,"
     "reference_generation v,user_defined_type_catalog n,user_defined_type_schema n,"
     "user_defined_type_name n,is_insertable_into v,is_typed v,commit_action v"},
    {"transforms", 13430, 'v',
     "udt_catalog n,udt_schema n,udt_name n,specific_catalog n,specific_schema n,specific_name n,"
     "group_name n,transform_type v"},
    {"triggered_update_columns", 13435, 'v',
     "trigger_catalog n,trigger_schema n,trigger_name n,event_object_catalog n,"
     "event_object_schema n,event_object_table n,event_object_column n"},
    {"triggers", 13440, 'v',
     "trigger_catalog n,trigger_schema n,trigger_name n,event_manipulation v,"
     "event_object_catalog n,event_object_schema n,event_object_table n,action_order i,"
     "action_condition v,action_statement v,action_orientation v,action_timing v,"
     "action_reference_old_table n,action_reference_new_table n,action_reference_old_row n,"
     "action_reference_new_row n,created z"},
    {"udt_privileges", 13445, 'v',
     "grantor n,grantee n,udt_catalog n,udt_schema n,udt_name n,privilege_type v,is_grantable v"},
    {"usage_privileges", 13454, 'v',
     "grantor n,grantee n,object_catalog n,object_schema n,object_name n,object_type v,"
     "privilege_type v,is_grantable v"},
    {"user_defined_types", 13463, 'v',
     "user_defined_type_catalog n,user_defined_type_schema n,user_defined_type_name n,"
     "user_defined_type_category v,is_instantiable v,is_final v,ordering_form v,"
     "ordering_category v,ordering_routine_catalog n,ordering_routine_schema n,"
     "ordering_routine_name n,reference_type v,data_type v,character_maximum_length i,"
     "character_octet_length i,character_set_catalog n,character_set_schema n,"
     "character_set_name n,collation_catalog n,collation_schema n,collation_name n,"
     "numeric_precision i,numeric_precision_radix i,numeric_scale i,datetime_precision i,"
     "interval_type v,interval_precision i,source_dtd_identifier n,ref_dtd_identifier n"},
    {"user_mapping_options", 13550, 'v',
     "authorization_identifier n,foreign_server_catalog n,foreign_server_name n,option_name n,"
     "option_value v"},
    {"user_mappings", 13555, 'v',
     "authorization_identifier n,foreign_server_catalog n,foreign_server_name n"},
    {"view_column_usage", 13468, 'v',
     "view_catalog n,view_schema n,view_name n,table_catalog n,table_schema n,table_name n,"
     "column_name n"},
    {"view_routine_usage", 13473, 'v',
     "table_catalog n,table_schema n,table_name n,specific_catalog n,specific_schema n,"
     "specific_name n"},
    {"view_table_usage", 13478, 'v',
     "view_catalog n,view_schema n,view_name n,table_catalog n,table_schema n,table_name n"},
    {"views", 13483, 'v',
     "table_catalog n,table_schema n,table_name n,view_definition v,check_option v,is_updatable v,"
     "is_insertable_into v,is_trigger_updatable v,is_trigger_deletable v,"
     "is_trigger_insertable_into v"},
    {NULL, 0, 0, NULL},
};
