#!/bin/bash
# The steps of firmware_host/league/README.md for three machines, all on one: the units run the broker n1 and the
# collector; n2 and n3 run beside them. A board sends a result and gets its receipt, before and after each unit is
# reloaded or started again. The last line of the console says that all of it worked.
exec >/console.txt 2>&1
trap 'journalctl -u cribboard-league -u cribboard-nats --no-pager -n 40; systemctl poweroff --no-block' ERR
set -eExo pipefail
export PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root
cd /root
ln -sf pts/ptmx /dev/ptmx # a container without a console has none, and PrivateDevices= copies it

systemctl disable --now nats-server
systemctl start postgresql
port=$(pg_lsclusters -h | awk '{ print $3 }')
until pg_isready -q -h 127.0.0.1 -p "$port"; do sleep 0.2; done
runuser -u postgres -- psql -p "$port" -c "CREATE ROLE league LOGIN PASSWORD 'secret'"
runuser -u postgres -- createdb -p "$port" -O league league
export CRIBBOARD_LEAGUE=postgresql://league@127.0.0.1:$port/league PGPASSWORD=secret

broker_config() { cribboard league broker-config league --laptop --installed /etc/cribboard-nats; }
cribboard league migrate
broker_config
cribboard league board add table-1 --ca league/ca.crt --host 127.0.0.1 --into stick
broker_config

cp -rT league/n1 /etc/cribboard-nats && chown -R nats:nats /etc/cribboard-nats
mv /etc/cribboard-nats/cribboard-nats.service /etc/systemd/system/ && systemctl daemon-reload
for node in n2 n3; do
  sed -i "s#/etc/cribboard-nats#/root/league/$node#g" league/$node/nats.conf
  systemd-run --quiet --unit=$node nats-server -c /root/league/$node/nats.conf
done
systemctl enable --now cribboard-nats

cd league/collector
printf 'CRIBBOARD_LEAGUE=%s\nPGPASSWORD=%s\n' "$CRIBBOARD_LEAGUE" "$PGPASSWORD" >environment
install -Dm 640 -g cribboard -t /etc/cribboard-league access.toml ca.crt
install -Dm 600 -t /etc/cribboard-league environment
cp cribboard-league.service /etc/systemd/system/ && systemctl daemon-reload
systemctl enable --now cribboard-league
cd /root

send() { /opt/cribboard/venv/bin/python3 /send_result.py /result-"$1".json; }
send 1
systemctl reload cribboard-nats
send 2
systemctl restart cribboard-nats
until curl -sf http://127.0.0.1:8222/healthz; do sleep 0.2; done
send 3
systemctl restart cribboard-league
send 4
cribboard league status league/collector/access.toml | grep "ledger: 4 games, 4 results"
curl -sf http://127.0.0.1:9105/metrics | grep "cribboard_league_results_stored_total 1.0"
systemctl stop cribboard-league cribboard-nats
for unit in cribboard-league cribboard-nats; do systemctl show -p Result "$unit" | grep success; done
: "every step of the league worked"
systemctl poweroff --no-block
