#!/usr/bin/env bash
# Run by PostgreSQL's image when it makes a new cluster, from /docker-entrypoint-initdb.d, where the SQL files beside it stand under
# names that the image does not run by itself. ROLE_PASSWORDS is a folder with the files SERVICE-migrator and SERVICE-app.

init_fourfold() {
    local here service passwords=${ROLE_PASSWORDS:-/run/secrets/postgres}
    here=$(dirname "${BASH_SOURCE[0]}")
    for service in locker cloud orders trust; do
        psql -X -q -v ON_ERROR_STOP=1 -U "${POSTGRES_USER:-postgres}" -d "${POSTGRES_DB:-postgres}" -v service="$service" \
            -f "$here/roles" || return
        MIGRATOR_PASSWORD=$(cat "$passwords/$service-migrator") APP_PASSWORD=$(cat "$passwords/$service-app") \
            psql -X -q -v ON_ERROR_STOP=1 -U "${POSTGRES_USER:-postgres}" -d "${POSTGRES_DB:-postgres}" -v service="$service" \
            -f "$here/passwords" || return
    done
}

# The image runs it, or reads it into its own shell, where no `exit` may stand.
init_fourfold
