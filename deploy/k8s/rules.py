"""Checks rendered manifests against the schemas of Kubernetes 1.32, the restricted profile of the pod security standards,
and the rules of this repository. `deploy/check` runs it: rules.py NAME FILE; --together FOLDER; --secrets SECRETS FILE; --self-test FILE."""

import copy
import ipaddress
import re
import sys
from pathlib import Path

import kubernetes_validate
import yaml

VERSION = "1.32"
REPOSITORY = Path(__file__).parents[2]
SERVICES = sorted(folder.name.removesuffix("-svc") for folder in REPOSITORY.glob("*-svc"))
# The limit in `deploy/postgres/roles.sql` for the app of a service.
SESSIONS = 150
PRIVATE = [
    ipaddress.ip_network(text)
    for text in (
        "10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 0.0.0.0/8 192.0.0.0/24 198.18.0.0/15 224.0.0.0/4 "
        "240.0.0.0/4 fc00::/7 fe80::/10 ::1/128 ff00::/8 64:ff9b::/96 ::ffff:0:0/96 2002::/16 2001:db8::/32"
    ).split()
]
EXAMPLES = REPOSITORY / ".env.example"
# Bits of the widest network of proxies, by the version of IP. Everything in it can name any client address.
PROXIES = {4: 16, 6: 48}
# Settings of libraries, not of the services.
FOREIGN_SETTINGS = re.compile(r"^(AWS_[A-Z0-9_]+|SSL_CERT_FILE)$")


def load(path):
    return [one for one in yaml.safe_load_all(Path(path).read_text()) if one]


def title(one):
    return f"{one['kind']}/{one['metadata']['name']}"


def template(one):
    """The pod template, if this is a workload."""
    spec = one.get("spec", {})
    if one["kind"] == "CronJob":
        return spec["jobTemplate"]["spec"]["template"]
    return spec["template"] if one["kind"] in ("Deployment", "StatefulSet", "DaemonSet", "Job") else None


def service_of(one):
    name = one["metadata"].get("labels", {}).get("app.kubernetes.io/name") or one["metadata"]["name"].split("-")[0]
    return name if name in SERVICES else None


def schema(one):
    try:
        kubernetes_validate.validate(one, VERSION, strict=True)
    except kubernetes_validate.ValidationError as error:
        yield f"{'.'.join(map(str, error.path))}: {error.message[:300]}"
    except Exception as error:  # Mostly an unknown kind or version.
        yield f"cannot be validated: {error!r}"


def restricted(one):
    """https://kubernetes.io/docs/concepts/security/pod-security-standards/#restricted"""
    pod = template(one)
    if pod is None:
        return
    spec = pod["spec"]
    for name in ("hostNetwork", "hostPID", "hostIPC"):
        if spec.get(name):
            yield f"{name} is set"
    security = spec.get("securityContext", {})
    if security.get("runAsNonRoot") is not True or not security.get("runAsUser"):
        yield "runs as root, or as the user of the image"
    if security.get("seccompProfile", {}).get("type") not in ("RuntimeDefault", "Localhost"):
        yield "no seccomp profile"
    if security.get("sysctls"):
        yield "sysctls"
    allowed = {"configMap", "csi", "downwardAPI", "emptyDir", "ephemeral", "persistentVolumeClaim", "projected", "secret"}
    for volume in spec.get("volumes", []):
        if not set(volume) - {"name"} <= allowed:
            yield f"the volume {volume['name']} has a forbidden type"
    for container in spec.get("initContainers", []) + spec["containers"]:
        context = container.get("securityContext", {})
        if context.get("allowPrivilegeEscalation") is not False or context.get("privileged"):
            yield f"{container['name']} may gain privileges"
        if context.get("capabilities") != {"drop": ["ALL"]}:
            yield f"{container['name']} has capabilities"
        if context.get("runAsUser") == 0 or context.get("runAsNonRoot") is False:
            yield f"{container['name']} runs as root"
        if any(port.get("hostPort") for port in container.get("ports", [])):
            yield f"{container['name']} has a port of the host"


def ours(one):
    """Our own rules for workloads."""
    pod = template(one)
    if pod is None:
        return
    spec = pod["spec"]
    if spec.get("automountServiceAccountToken") is not False:
        yield "a service account token is mounted"
    for container in spec.get("initContainers", []) + spec["containers"]:
        name = container["name"]
        if container.get("securityContext", {}).get("readOnlyRootFilesystem") is not True:
            yield f"{name}: the root file system can be written"
        resources = container.get("resources", {})
        for kind in ("requests", "limits"):
            if not {"cpu", "memory"} <= set(resources.get(kind, {})):
                yield f"{name}: no {kind} of cpu and memory"
        if one["kind"] in ("Deployment", "StatefulSet", "DaemonSet"):
            for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
                if probe not in container:
                    yield f"{name}: no {probe}"
        ports = {port["name"] for port in container.get("ports", [])}
        for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
            for way in ("httpGet", "tcpSocket"):
                if port := container.get(probe, {}).get(way, {}).get("port"):
                    if port not in ports:
                        yield f"{name}: {probe} uses an unknown port {port}"
        mounts = {mount["name"] for mount in container.get("volumeMounts", [])}
        if lost := mounts - {volume["name"] for volume in spec.get("volumes", [])} - {
            claim["metadata"]["name"] for claim in one["spec"].get("volumeClaimTemplates", [])
        }:
            yield f"{name}: mounts without a volume: {lost}"


def start(one):
    """Trust reads its whole log at each start, so the ten minutes of the others would end each start of a long one."""
    if title(one) == "Deployment/trust":
        for container in template(one)["spec"]["containers"]:
            probe = container.get("startupProbe", {})
            seconds = probe.get("periodSeconds", 10) * probe.get("failureThreshold", 3)
            if seconds < 4 * 3600:
                yield f"{container['name']}: has only {seconds} s to start"
            if one["spec"].get("progressDeadlineSeconds", 600) <= seconds:
                yield "a rollout counts as failed while a pod may still start"


def secrets_of(one):
    """Names of the secrets that a workload uses."""
    spec = template(one)["spec"]
    for container in spec.get("initContainers", []) + spec["containers"]:
        for source in container.get("envFrom", []):
            if "secretRef" in source:
                yield source["secretRef"]["name"]
        for variable in container.get("env", []):
            if "secretKeyRef" in variable.get("valueFrom", {}):
                yield variable["valueFrom"]["secretKeyRef"]["name"]
    for volume in spec.get("volumes", []):
        if "secret" in volume:
            yield volume["secret"]["secretName"]


def secrets(one):
    """Manifests name secrets and never contain them. Each service uses its own; only the database knows all role passwords."""
    if one["kind"] == "Secret":
        yield "contains a secret"
    if one["kind"] == "ConfigMap":
        for key, value in one.get("data", {}).items():
            if key in ("DATABASE_URL", "REDIS_URL", "SERVICE_SECRET") or re.search(r"://[^/\s$…]*:[^/\s…]+@|PRIVATE KEY", value):
                yield f"{key} is a secret"
    if template(one) is None:
        return
    spec = template(one)["spec"]
    for container in spec["containers"]:
        for variable in container.get("env", []):
            if re.search("SECRET|PASSWORD|DATABASE_URL|REDIS_URL|AWS_", variable["name"]) and "value" in variable:
                if not variable["name"].endswith("_FILE"):
                    yield f"{variable['name']} is set in the manifest"
    service = service_of(one)
    for name in secrets_of(one):
        if service and name != service and not name.startswith(service + "-"):
            yield f"{service} uses the secret {name}"
        if not service and name.split("-")[0] in SERVICES:
            yield f"uses {name}, the secret of a service"


def settings(one):
    if one["kind"] == "ConfigMap" and one["metadata"]["name"].split("-settings-")[0] in SERVICES:
        known = set(re.findall(r"^#?([A-Z][A-Z0-9_]+)=", EXAMPLES.read_text(), re.M))
        for key in one["data"]:
            if key not in known and not FOREIGN_SETTINGS.match(key):
                yield f"{key} is not a setting"
        for text in filter(None, map(str.strip, one["data"].get("TRUSTED_PROXIES", "").split(","))):
            proxies = ipaddress.ip_network(text, strict=False)
            if proxies.prefixlen < PROXIES[proxies.version]:
                yield f"TRUSTED_PROXIES: {proxies} is wider than /{PROXIES[proxies.version]}"


def network(one):
    if one["kind"] != "NetworkPolicy":
        return
    for rule in one["spec"].get("egress", []):
        if not rule.get("to"):
            yield "traffic to everywhere is allowed"
        for peer in rule.get("to", []):
            if "ipBlock" not in peer:
                continue
            block = ipaddress.ip_network(peer["ipBlock"]["cidr"])
            if block.num_addresses <= 256:
                continue
            selected = one["spec"]["podSelector"].get("matchLabels", {})
            worker = selected.get("app.kubernetes.io/component") == "worker"
            if not worker and one["metadata"]["name"] != "trust-witnesses":
                yield f"{block}: only workers reach the internet"
            holes = [ipaddress.ip_network(text) for text in peer["ipBlock"].get("except", [])]
            for private in PRIVATE:
                if private.version == block.version and private.overlaps(block):
                    if not any(private.subnet_of(hole) for hole in holes):
                        yield f"{block} includes the private {private}"
    for rule in one["spec"].get("ingress", []):
        if not rule.get("from"):
            yield "traffic from everywhere is allowed"


def matches(selector, labels):
    return all(labels.get(key) == value for key, value in selector.get("matchLabels", {}).items()) and all(
        labels.get(term["key"]) in term["values"] for term in selector.get("matchExpressions", [])
    )


def whole(manifests, name):
    """Rules across all manifests of one rendering."""
    by_title = {title(one): one for one in manifests}
    if len(by_title) != len(manifests):
        yield "two manifests have the same name"
    workloads = [one for one in manifests if template(one) is not None]
    policies = [one for one in manifests if one["kind"] == "NetworkPolicy"]
    for one in workloads:
        pod = template(one)
        labels = pod["metadata"]["labels"]
        kinds = {kind for policy in policies if matches(policy["spec"]["podSelector"], labels) for kind in policy["spec"]["policyTypes"]}
        if kinds != {"Ingress", "Egress"}:
            yield f"{title(one)}: no policy denies all other traffic of its pods"
        selector = one["spec"].get("selector")
        if selector and not matches(selector, labels):
            yield f"{title(one)} does not select its own pods"
        account = pod["spec"].get("serviceAccountName")
        if account and f"ServiceAccount/{account}" not in by_title:
            yield f"{title(one)}: no ServiceAccount {account}"
        wanted = [source["configMapRef"]["name"] for c in pod["spec"]["containers"] for source in c.get("envFrom", []) if "configMapRef" in source]
        wanted += [volume["configMap"]["name"] for volume in pod["spec"].get("volumes", []) if "configMap" in volume]
        for config in wanted:
            if f"ConfigMap/{config}" not in by_title:
                yield f"{title(one)}: no ConfigMap {config}"
        for volume in pod["spec"].get("volumes", []):
            claim = volume.get("persistentVolumeClaim", {}).get("claimName")
            if claim and f"PersistentVolumeClaim/{claim}" not in by_title:
                yield f"{title(one)}: no PersistentVolumeClaim {claim}"
        if name.startswith("overlays"):
            for container in pod["spec"]["containers"]:
                if not re.search(r":[^:/]+$", container["image"]) or container["image"].endswith(":latest"):
                    yield f"{title(one)}: {container['image']} has no version"
    for one in manifests:
        if one["kind"] == "Service":
            pods = [template(w) for w in workloads if matches({"matchLabels": one["spec"]["selector"]}, template(w)["metadata"]["labels"])]
            if len(pods) != 1:
                yield f"{title(one)} selects {len(pods)} workloads"
            for port in one["spec"]["ports"]:
                target = port.get("targetPort", port["port"])
                if pods and not any(target in (p["name"], p["containerPort"]) for c in pods[0]["spec"]["containers"] for p in c["ports"]):
                    yield f"{title(one)}: no container listens on {target}"
        if one["kind"] == "HorizontalPodAutoscaler":
            target = by_title.get(f"Deployment/{one['spec']['scaleTargetRef']['name']}")
            if target is None or "replicas" in target["spec"]:
                yield f"{title(one)} scales an unknown Deployment, or one with a fixed number"
        if one["kind"] == "PodDisruptionBudget":
            if not any(matches(one["spec"]["selector"], template(w)["metadata"]["labels"]) for w in workloads):
                yield f"{title(one)} selects no pods"
        if name.startswith("overlays") and one["kind"] != "Namespace" and one["metadata"].get("namespace") != "fourfold":
            yield f"{title(one)} is in another namespace"
    for service in SERVICES:
        mine = [one for one in manifests if service_of(one) == service]
        if not mine:
            continue
        kinds = {one["kind"] for one in mine}
        needed = {"Deployment", "Service", "NetworkPolicy", "ServiceAccount", "Job", "ConfigMap"}
        if "single-node" not in name:
            needed |= {"HorizontalPodAutoscaler", "PodDisruptionBudget"}
        if needed - kinds:
            yield f"{service} has no {', '.join(sorted(needed - kinds))}"
        sessions = most_sessions(mine)
        if sessions > SESSIONS:
            yield f"{service} can open {sessions} PostgreSQL sessions; its role allows {SESSIONS}"


def most_sessions(manifests):
    """Sessions of all processes of a service during a rolling update. Each process has five write connections too."""
    config = next((one["data"] for one in manifests if one["kind"] == "ConfigMap"), {})
    scaled = {one["spec"]["scaleTargetRef"]["name"]: one["spec"]["maxReplicas"] for one in manifests if one["kind"] == "HorizontalPodAutoscaler"}
    total = 0
    for one in manifests:
        if one["kind"] == "Deployment":
            replicas = scaled.get(one["metadata"]["name"], one["spec"].get("replicas", 1))
            own = {v["name"]: v.get("value") for v in template(one)["spec"]["containers"][0].get("env", [])}
            reads = int(own.get("DATABASE_CONNECTIONS", config.get("DATABASE_CONNECTIONS", 16)))
            total += (replicas + 1) * (reads + 5)
    return total


def complaints(manifests, name):
    for one in manifests:
        for rule in (schema, restricted, ours, start, secrets, settings, network):
            for complaint in rule(one):
                yield f"{title(one)}: {complaint}"
    yield from whole(manifests, name)


def together(folder):
    """An overlay must be exactly the sum of its parts."""
    for overlay in ("production", "single-node"):
        all_of_it = {title(one): one for one in load(f"{folder}/overlays+{overlay}.yaml")}
        parts = {}
        for path in Path(folder).glob(f"overlays+{overlay}+*.yaml"):
            for one in load(path):
                if title(one) in parts:
                    yield f"{title(one)} is in two parts of {overlay}"
                parts[title(one)] = one
        if parts != all_of_it:
            yield f"{overlay}: the whole differs from the sum of its parts"


def made(secrets_path, path):
    found = load(secrets_path)
    there = {one["metadata"]["name"] for one in found}
    wanted = {name for one in load(path) if template(one) is not None for name in secrets_of(one)}
    if there != wanted:
        yield f"secrets made and secrets used differ: {sorted(there ^ wanted)}"
    for one in found:
        yield from (f"{title(one)}: {key} is empty" for key, value in one["data"].items() if not value)


def self_test(path):
    """Each of these mistakes alone must be found."""
    manifests = load(path)
    if found := list(complaints(manifests, "overlays/production")):
        yield from found
        return

    def cloud(manifests, kind="Deployment", name="cloud"):
        return next(one for one in manifests if title(one) == f"{kind}/{name}")

    def container(manifests):
        return template(cloud(manifests))["spec"]["containers"][0]

    mistakes = {
        "an unknown kind": lambda m: m.append({"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": "x", "namespace": "fourfold"}}),
        "an unknown field": lambda m: cloud(m)["spec"].update(replica=1),
        "no limits": lambda m: container(m)["resources"].pop("limits"),
        "no probe": lambda m: container(m).pop("livenessProbe"),
        "a short start of trust": lambda m: template(cloud(m, name="trust"))["spec"]["containers"][0]["startupProbe"].update(failureThreshold=300),
        "a writable root": lambda m: container(m)["securityContext"].pop("readOnlyRootFilesystem"),
        "root": lambda m: template(cloud(m))["spec"]["securityContext"].update(runAsNonRoot=False),
        "a capability": lambda m: container(m)["securityContext"].update(capabilities={"drop": ["ALL"], "add": ["NET_ADMIN"]}),
        "a host path": lambda m: template(cloud(m))["spec"].update(volumes=[{"name": "x", "hostPath": {"path": "/"}}]),
        "a token": lambda m: template(cloud(m))["spec"].pop("automountServiceAccountToken"),
        "a secret of another service": lambda m: container(m)["envFrom"].append({"secretRef": {"name": "orders"}}),
        "a secret in the settings": lambda m: next(o for o in m if o["metadata"]["name"].startswith("cloud-settings"))["data"].update(X="postgres://a:b@c/d"),
        "an unknown setting": lambda m: next(o for o in m if o["metadata"]["name"].startswith("cloud-settings"))["data"].update(LISTEN_ADR="x"),
        "a wide network of proxies": lambda m: next(o for o in m if o["metadata"]["name"].startswith("cloud-settings"))["data"].update(TRUSTED_PROXIES="192.0.2.1, 10.0.0.0/15"),
        "a secret in the manifests": lambda m: m.append({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "cloud", "namespace": "fourfold"}}),
        "the internet for an API": lambda m: cloud(m, "NetworkPolicy", "cloud-data")["spec"]["egress"].append({"to": [{"ipBlock": {"cidr": "0.0.0.0/0"}}]}),
        "a private network for workers": lambda m: cloud(m, "NetworkPolicy", "locker-worker-internet")["spec"]["egress"][0]["to"][0]["ipBlock"]["except"].remove("10.0.0.0/8"),
        "no default deny": lambda m: [m.remove(o) for o in list(m) if title(o) in ("NetworkPolicy/cloud-default", "NetworkPolicy/cloud-data", "NetworkPolicy/cloud-issuer", "NetworkPolicy/cloud-blobs", "NetworkPolicy/default-deny")],
        "no version": lambda m: container(m).update(image="fourfold/cloud-svc"),
        "a selector without pods": lambda m: cloud(m, "Service")["spec"]["selector"].update(x="y"),
        "too many sessions": lambda m: cloud(m, "HorizontalPodAutoscaler")["spec"].update(maxReplicas=40),
        "no budget": lambda m: m.remove(cloud(m, "PodDisruptionBudget")),
    }
    for name, mistake in mistakes.items():
        wrong = copy.deepcopy(manifests)
        mistake(wrong)
        if not list(complaints(wrong, "overlays/production")):
            yield f"not found: {name}"


def main(arguments):
    match arguments:
        case ["--together", folder]:
            found = list(together(folder))
        case ["--secrets", secrets_path, path]:
            found = list(made(secrets_path, path))
        case ["--self-test", path]:
            found = list(self_test(path))
        case [name, path]:
            found = list(complaints(load(path), name))
        case _:
            sys.exit(__doc__)
    for complaint in found:
        print(complaint)
    sys.exit(bool(found))


main(sys.argv[1:])
