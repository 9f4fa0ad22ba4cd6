# Packages, servers and the list of the services, for scripts that source this file in the repository's root. Those
# define `place`, a folder for temporary files, and `die`.

# Each folder NAME-svc is a service. No other list of the services decides anything; `deploy/check` compares those that
# YAML, SQL and Docker need with this one.
services=(*-svc)
services=("${services[@]%-svc}")

postgres='' redis=''

# Makes a folder for files that a run removes at its end, and prints its path. It is in memory if there is room: a test on
# PostgreSQL makes and removes a database of 300 files, which took a third of the run's processor time on a disk.
temporary_folder() {
    local free available
    free=$(df --output=avail -k /dev/shm 2>/dev/null | tail -n 1) || free=0
    available=$(awk '/^MemAvailable:/ { print $2 }' /proc/meminfo 2>/dev/null) || available=0
    # 4 GiB of files; builds and tests need as much again.
    if ((${free:-0} > 4 << 20 && ${available:-0} > 8 << 20)); then mktemp -d -p /dev/shm; else mktemp -d; fi
}

# Installs missing packages.
install_packages() {
    local package missing=() root=()
    for package in "$@"; do
        is_installed "$package" || missing+=("$package")
    done
    ((${#missing[@]})) || return 0
    command -v apt-get >/dev/null || die "missing: ${missing[*]}; there is no apt-get here, please install them"
    if ((EUID != 0)); then
        command -v sudo >/dev/null || die "missing: ${missing[*]}; installing them needs root or sudo"
        root=(sudo)
    fi
    "${root[@]}" apt-get update -q || die "apt-get update failed; it should find ${missing[*]}"
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}" ||
        die "apt-get cannot install ${missing[*]}"
}

is_installed() {
    case $1 in
    postgresql) [[ $(find_postgres) ]] ;;
    redis-server) command -v redis-server >/dev/null && command -v redis-cli >/dev/null ;;
    nodejs) command -v node >/dev/null ;;
    # Tests run the program; the builtin of bash does not count.
    procps) [[ $(type -P kill) ]] ;;
    python3-venv) python3 -c 'import ensurepip' 2>/dev/null ;;
    python3-cryptography) python3 -c 'import cryptography' 2>/dev/null ;;
    # In Debian they are not on the PATH of a user.
    nginx-light) [[ -x /usr/sbin/nginx ]] || command -v nginx >/dev/null ;;
    haproxy) [[ -x /usr/sbin/haproxy ]] || command -v haproxy >/dev/null ;;
    libreoffice-calc-nogui) has_office_part sc ;;
    libreoffice-writer-nogui) has_office_part sw ;;
    # Debian's Python: the scripts that use it name it too.
    python3-uno) /usr/bin/python3 -c 'import uno' 2>/dev/null ;;
    *) command -v "$1" >/dev/null ;;
    esac
}

# Whether LibreOffice is there with the library of a part. In Debian each part is a package, and all share `soffice`.
has_office_part() {
    local program
    program=$(command -v soffice) || return
    [[ -e $(dirname "$(readlink -f "$program")")/lib$1lo.so ]]
}

# Prints the folder with the programs of the newest PostgreSQL. In Debian it is not on the PATH.
find_postgres() {
    local initdb
    initdb=$(printf '%s\n' /usr/lib/postgresql/*/bin/initdb | sort -V | tail -n 1)
    [[ -x $initdb ]] || initdb=$(command -v initdb) || return 0
    dirname "$initdb"
}

# PostgreSQL does not run as root.
as_postgres() {
    if ((EUID == 0)); then (cd "$place" && runuser -u postgres -- "$@"); else "$@"; fi
}

random_port() {
    echo $((20000 + RANDOM % 12000))
}

start_postgres() {
    local folder=$place/postgres password port
    pg_bin=$(find_postgres)
    password=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
    mkdir "$folder"
    echo "$password" >"$folder/password"
    if ((EUID == 0)); then
        chmod 711 "$place"
        chown -R postgres: "$folder"
    fi
    as_postgres "$pg_bin/initdb" -D "$folder/data" -U postgres -A scram-sha-256 --pwfile="$folder/password" \
        --encoding=UTF8 --locale=C >/dev/null || die "PostgreSQL's initdb failed"
    # The data is temporary, so it need not survive a power failure.
    cat >>"$folder/data/postgresql.conf" <<'SETTINGS'
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 300
fsync = off
full_page_writes = off
SETTINGS
    for _ in {1..20}; do
        port=$(random_port)
        postgres=$folder
        if as_postgres "$pg_bin/pg_ctl" -D "$folder/data" -l "$folder/log" -o "-p $port" -w start >/dev/null; then
            postgres_url=postgres://postgres:$password@127.0.0.1:$port/postgres
            return
        fi
        postgres=''
    done
    # It is missing if pg_ctl itself did not run.
    cat "$folder/log" || true
    die "PostgreSQL does not start"
}

start_redis() {
    local port
    for _ in {1..20}; do
        port=$(random_port)
        # Each stage of a test uses its own database.
        redis-server --port "$port" --bind 127.0.0.1 --databases 10000 --save '' --appendonly no --dir "$place" \
            >"$place/redis.log" 2>&1 &
        redis=$!
        while kill -0 "$redis" 2>/dev/null; do
            if redis-cli -p "$port" info server 2>/dev/null | grep -q "^process_id:$redis\b"; then
                redis_url=redis://127.0.0.1:$port
                return
            fi
            sleep 0.05
        done
    done
    cat "$place/redis.log"
    die "Redis does not start"
}

stop_servers() {
    if [[ $redis ]] && kill "$redis" 2>/dev/null; then wait "$redis" || true; fi
    if [[ $postgres ]]; then as_postgres "$pg_bin/pg_ctl" -D "$postgres/data" -m immediate -w stop >/dev/null || true; fi
}
