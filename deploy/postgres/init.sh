#!/usr/bin/env bash
# PostgreSQL's image runs this file from /docker-entrypoint-initdb.d when it creates a cluster. The SQL files have names there
# that the image does not run by itself. ROLE_PASSWORDS is a folder with files SERVICE-migrator and SERVICE-app.

init_fourfold() {
    local file here service passwords=${ROLE_PASSWORDS:-/run/secrets/postgres}
    here=$(dirname "${BASH_SOURCE[0]}")
    # One service for each pair of passwords, so that no list of services is needed here.
    for file in "$passwords"/*-migrator; do
        service=${file##*/} service=${service%-migrator}
        psql -X -q -v ON_ERROR_STOP=1 -U "${POSTGRES_USER:-postgres}" -d "${POSTGRES_DB:-postgres}" -v service="$service" \
            -f "$here/roles" || return
        MIGRATOR_PASSWORD=$(cat "$passwords/$service-migrator") APP_PASSWORD=$(cat "$passwords/$service-app") \
            psql -X -q -v ON_ERROR_STOP=1 -U "${POSTGRES_USER:-postgres}" -d "${POSTGRES_DB:-postgres}" -v service="$service" \
            -f "$here/passwords" || return
    done
}

# The image may source this file into its own shell, so it must not call `exit`.
init_fourfold
