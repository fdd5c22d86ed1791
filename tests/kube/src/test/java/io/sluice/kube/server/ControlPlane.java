package io.sluice.kube.server;

import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionStatus;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.lab.api.ApiServerExtension;
import io.sluice.neonvm.api.KubernetesConfig;
import io.sluice.neonvm.api.KubernetesConnection;
import io.sluice.shell.LoopbackPorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A real etcd and kube-apiserver on loopback with NeonVM's kinds. No controllers run: there is no garbage collection,
 * and only a test that acts as kubelet sets the status of a pod.
 */
public final class ControlPlane implements ApiServerExtension.Server {
    /** The folder of the programs; empty if there are none. */
    static final String PROGRAMS = "kube.control-plane";

    private static final Duration READY_MAX = Duration.ofSeconds(180);
    private static final Duration END_MAX = Duration.ofSeconds(60);
    private static final String ADMIN_TOKEN = "admin-of-this-test";
    /** A longer key would take seconds to make. */
    private static final int KEY_BITS = 2_048;

    private static final String LOOPBACK = "127.0.0.1";

    private final Path programs = Path.of(System.getProperty(PROGRAMS));
    private final Path folder;
    private final int etcdPort = LoopbackPorts.next();
    private final int etcdPeerPort = LoopbackPorts.next();
    private final int apiPort = LoopbackPorts.next();
    private List<String> more = List.of();
    private Process etcd;
    private Process apiServer;

    private ControlPlane(Path folder) {
        this.folder = folder;
    }

    /** Starts both and waits until they are ready; all their files are in that folder. */
    public static ControlPlane start(Path folder) {
        return start(new ControlPlane(folder));
    }

    /** Starts both with an audit log, for {@link AuditLog}. */
    public static ControlPlane audited(Path folder) {
        var plane = new ControlPlane(folder);
        plane.write("audit-policy.yaml", AuditLog.POLICY);
        plane.more = List.of(
                "--audit-policy-file=" + folder.resolve("audit-policy.yaml"), "--audit-log-path=" + plane.auditLog());
        return start(plane);
    }

    /** Starts both with features that are switched on: {@code Name=true}. */
    public static ControlPlane withGates(Path folder, String gates) {
        var plane = new ControlPlane(folder);
        plane.more = List.of("--feature-gates=" + gates);
        return start(plane);
    }

    /** The same as {@link #audited}, with Kubernetes' own groups of pods, which are alpha. */
    public static ControlPlane withPodGroups(Path folder) {
        var plane = new ControlPlane(folder);
        plane.write("audit-policy.yaml", AuditLog.POLICY);
        plane.more = List.of(
                "--audit-policy-file=" + folder.resolve("audit-policy.yaml"),
                "--audit-log-path=" + plane.auditLog(),
                "--feature-gates=GenericWorkload=true",
                "--runtime-config=scheduling.k8s.io/v1alpha2=true");
        return start(plane);
    }

    private static ControlPlane start(ControlPlane plane) {
        Runtime.getRuntime().addShutdownHook(new Thread(plane::kill));
        plane.write(plane.signingKey().getFileName().toString(), privateKey());
        plane.write("tokens.csv", ADMIN_TOKEN + ",admin,1,\"system:masters\"\n");
        plane.write("admin.token", ADMIN_TOKEN);
        plane.startEtcd();
        plane.startApiServer();
        plane.defineKinds();
        return plane;
    }

    @Override
    public KubernetesConfig admin() {
        return adminBy(apiPort);
    }

    /** The same access through another port of loopback that leads there. */
    public KubernetesConfig adminBy(int port) {
        return by(port, folder.resolve("admin.token"));
    }

    /** The access of the token in a file. */
    public KubernetesConfig by(Path tokenFile) {
        return by(apiPort, tokenFile);
    }

    /** The access of the token in a file, through a port of loopback that leads there. */
    public KubernetesConfig by(int port, Path tokenFile) {
        var usual = KubernetesConfig.DEFAULTS;
        return new KubernetesConfig(
                "https://" + LOOPBACK + ":" + port,
                tokenFile.toString(),
                folder.resolve("certificates").resolve("apiserver.crt").toString(),
                usual.requestTimeout(),
                usual.relistEvery(),
                usual.watchSilence(),
                usual.requestsInFlightMax());
    }

    /** A program beside those of the control plane. */
    public Path program(String name) {
        return programs.resolve(name);
    }

    /** The key that signs the tokens of service accounts. */
    public Path signingKey() {
        return folder.resolve("sa.key");
    }

    /** The audit log of an audited API server. */
    public Path auditLog() {
        return folder.resolve("audit.log");
    }

    private String url() {
        return "https://" + LOOPBACK + ":" + apiPort;
    }

    private void startEtcd() {
        var client = "http://" + LOOPBACK + ":" + etcdPort;
        var peer = "http://" + LOOPBACK + ":" + etcdPeerPort;
        etcd = run(
                "etcd",
                List.of(
                        "--unsafe-no-fsync",
                        "--log-level=error",
                        "--data-dir=" + folder.resolve("etcd-data"),
                        "--listen-client-urls=" + client,
                        "--advertise-client-urls=" + client,
                        "--listen-peer-urls=" + peer,
                        "--initial-advertise-peer-urls=" + peer,
                        "--initial-cluster=default=" + peer));
    }

    /** Starts the API server, or starts it again after it was stopped, and waits until it is ready. */
    public void startApiServer() {
        var key = signingKey();
        var arguments = new ArrayList<>(more);
        arguments.addAll(List.of(
                "--etcd-servers=http://" + LOOPBACK + ":" + etcdPort,
                "--cert-dir=" + folder.resolve("certificates"),
                "--bind-address=" + LOOPBACK,
                "--secure-port=" + apiPort,
                "--service-account-issuer=https://kubernetes.default.svc",
                "--service-account-signing-key-file=" + key,
                "--service-account-key-file=" + key,
                "--service-cluster-ip-range=10.0.0.0/24",
                "--authorization-mode=RBAC",
                "--token-auth-file=" + folder.resolve("tokens.csv"),
                // No controller makes service accounts here, and the tests set the nodes' readiness.
                "--disable-admission-plugins=ServiceAccount,TaintNodesByCondition",
                "--endpoint-reconciler-type=none"));
        apiServer = run("kube-apiserver", arguments);
        await().atMost(READY_MAX).pollInterval(Duration.ofMillis(100)).until(this::isReady);
    }

    /** Ends the API server as by {@code kill -9}. */
    public void killApiServer() {
        end(apiServer);
    }

    /** Freezes the API server; its connections stay open. */
    public void freezeApiServer() {
        Command.run(List.of("kill", "-STOP", Long.toString(apiServer.pid())));
    }

    /** Continues the frozen API server. */
    public void thawApiServer() {
        Command.run(List.of("kill", "-CONT", Long.toString(apiServer.pid())));
    }

    /** Deletes an object from etcd directly, without the checks of the API server. */
    public void wipe(String resource, String namespace, String name) {
        var key = "/registry/" + resource + "/" + namespace + "/" + name;
        var wiped = Etcd.deleteRange("http://" + LOOPBACK + ":" + etcdPort, key);
        if (wiped != 1) {
            throw new IllegalStateException("etcd has " + wiped + " objects of the key " + key);
        }
    }

    public int apiPort() {
        return apiPort;
    }

    private static void end(Process process) {
        process.destroyForcibly()
                .onExit()
                .orTimeout(END_MAX.toSeconds(), TimeUnit.SECONDS)
                .join();
    }

    private boolean isReady() {
        if (!apiServer.isAlive() || !etcd.isAlive()) {
            throw new IllegalStateException("a program has ended; its log is in " + folder);
        }
        // Its certificate is written when it starts.
        if (!Files.isReadable(Path.of(admin().caFile()))) {
            return false;
        }
        try (var client = KubernetesConnection.open(admin())) {
            return "ok".equals(client.raw("/readyz"));
        } catch (RuntimeException notYet) {
            return false;
        }
    }

    private void defineKinds() {
        try (KubernetesClient client = KubernetesConnection.open(admin());
                var kinds = ControlPlane.class.getResourceAsStream("/neonvm-kinds.yaml")) {
            client.load(kinds).create();
            await().atMost(READY_MAX)
                    .until(() -> client.apiextensions().v1().customResourceDefinitions().list().getItems().stream()
                            .allMatch(ControlPlane::isEstablished));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Whether a kind that was just defined is served already. */
    private static boolean isEstablished(CustomResourceDefinition kind) {
        return Optional.ofNullable(kind.getStatus()).map(CustomResourceDefinitionStatus::getConditions).stream()
                .flatMap(List::stream)
                .anyMatch(condition -> condition.getType().equals("Established")
                        && condition.getStatus().equals("True"));
    }

    private Process run(String program, List<String> arguments) {
        var command = new ArrayList<String>();
        command.add(programs.resolve(program).toString());
        command.addAll(arguments);
        try {
            return new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(
                            folder.resolve(program + ".log").toFile()))
                    .start();
        } catch (IOException notStarted) {
            throw new UncheckedIOException(notStarted);
        }
    }

    private void write(String file, String text) {
        try {
            Files.writeString(folder.resolve(file), text);
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
    }

    private static String privateKey() {
        try {
            var generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(KEY_BITS);
            var key = generator.generateKeyPair().getPrivate();
            return "-----BEGIN PRIVATE KEY-----\n"
                    + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(key.getEncoded())
                    + "\n-----END PRIVATE KEY-----\n";
        } catch (NoSuchAlgorithmException everyJdkHasIt) {
            throw new IllegalStateException(everyJdkHasIt);
        }
    }

    private void kill() {
        started().forEach(Process::destroyForcibly);
    }

    private List<Process> started() {
        return Stream.of(apiServer, etcd).filter(Objects::nonNull).toList();
    }

    @Override
    public void close() {
        started().forEach(ControlPlane::end);
    }
}
