package io.sluice.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import io.sluice.launcher.config.Settings;
import io.sluice.shell.LoopbackPorts;
import io.sluice.shell.config.YamlText;
import io.sluice.workers.ControlClient;
import io.sluice.workers.GrpcMethods;
import io.sluice.workers.WorkersTls;
import io.sluice.workers.control.v1.ListRequest;
import io.sluice.workers.control.v1.WorkerInfo;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import io.vertx.grpc.client.GrpcClient;
import io.vertx.grpc.client.GrpcClientRequest;
import io.vertx.grpc.client.GrpcClientResponse;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.common.ServiceName;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: RIK's agents and controllers are served. Method: clients that write and read messages by RIK's field numbers
 * alone, with the real ledger and placement.
 */
class RikTest {
    private static final Duration WITHIN = Duration.ofSeconds(30);
    private static final String HERE = "127.0.0.1";
    private static final String METRICS =
            "{\"cpu\":{\"total\":4,\"free\":90.0},\"memory\":{\"total\":8589934592,\"free\":4294967296},\"disks\":[]}";
    private static final String DEFINITION =
            "{\"apiVersion\":\"v0\",\"kind\":\"Pod\",\"name\":\"web\",\"spec\":{\"containers\":[{\"name\":\"web\","
                    + "\"image\":\"nginx\"}]}}";

    private static final long PENDING = 1;
    private static final long RUNNING = 2;
    private static final long TERMINATED = 4;
    private static final long CREATING = 5;
    private static final long CREATE = 0;
    private static final long DESTROY = 1;

    @TempDir
    private Path directory;

    private final Vertx vertx = Vertx.vertx();
    private final int port = LoopbackPorts.next();
    private final int controlPort = LoopbackPorts.next();
    private final int agents = LoopbackPorts.next();
    private final int controllers = LoopbackPorts.next();
    private final GrpcClient client = GrpcClient.client(vertx, ControlClient.connection(WorkersTls.NONE));
    private final GrpcClient other = GrpcClient.client(vertx, ControlClient.connection(WorkersTls.NONE));
    private RoleRuntime scheduler;
    private ControlClient control;

    @BeforeEach
    void start() throws StartException {
        var yaml = """
            roles: [ledger, placement, workers]
            gateway: {ops: {port: 0}}
            workers: {port: %d, controlPort: %d, store: %s, lease: 5m,
              rik: {enabled: true, workersPort: %d, controllersPort: %d}}
            """.formatted(port, controlPort, directory.resolve("store"), agents, controllers);
        scheduler = RoleRuntime.start(
                Settings.read(ProcessConfigSources.of(YamlText.parse(yaml, "test.yaml"), Map.of(), Map.of())),
                Optional.empty());
        control = new ControlClient(vertx, HERE, controlPort, WorkersTls.NONE);
    }

    @AfterEach
    void stop() {
        scheduler.stop();
        vertx.close();
    }

    /** A message that is read by its field numbers. */
    private record Fields(Map<Integer, Object> values) {
        static Fields read(Buffer bytes) {
            try {
                var in = CodedInputStream.newInstance(bytes.getBytes());
                var values = new HashMap<Integer, Object>();
                for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
                    values.put(tag >>> 3, (tag & 7) == 0 ? (Object) in.readInt64() : in.readByteArray());
                }
                return new Fields(values);
            } catch (IOException impossible) {
                throw new UncheckedIOException(impossible);
            }
        }

        long number(int field) {
            return (long) values.getOrDefault(field, 0L);
        }

        String text(int field) {
            return new String((byte[]) values.getOrDefault(field, new byte[0]));
        }

        Fields message(int field) {
            return read(Buffer.buffer((byte[]) values.getOrDefault(field, new byte[0])));
        }
    }

    /** A message by its field numbers: pairs of a number and a value. */
    private static Buffer message(Object... numbered) {
        var bytes = new ByteArrayOutputStream();
        var out = CodedOutputStream.newInstance(bytes);
        try {
            for (int i = 0; i < numbered.length; i += 2) {
                int field = (int) numbered[i];
                switch (numbered[i + 1]) {
                    case String text -> out.writeString(field, text);
                    case Long number -> out.writeInt64(field, number);
                    case Buffer inner -> out.writeByteArray(field, inner.getBytes());
                    default -> throw new IllegalArgumentException();
                }
            }
            out.flush();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return Buffer.buffer(bytes.toByteArray());
    }

    private static Future<GrpcClientRequest<Buffer, Buffer>> call(
            GrpcClient client, int port, String service, String method) {
        return client.request(SocketAddress.inetSocketAddress(port, HERE))
                .onSuccess(request ->
                        request.serviceName(ServiceName.create(service)).methodName(method));
    }

    private GrpcClientResponse<Buffer, Buffer> stream(int port, String service, String method, Buffer request) {
        return call(client, port, service, method)
                .compose(call -> {
                    call.end(request);
                    return call.response();
                })
                .await();
    }

    private ConcurrentLinkedQueue<Fields> register(String hostname) {
        var orders = new ConcurrentLinkedQueue<Fields>();
        stream(agents, "worker.Worker", "Register", message(1, hostname))
                .handler(order -> orders.add(Fields.read(order)));
        return orders;
    }

    /** One call for each status, as RIK's agent does. */
    private void status(String identifier, int kind, Buffer metric) {
        call(other, agents, "worker.Worker", "SendStatusUpdates")
                .compose(call -> {
                    call.end(message(kind, metric, 3, identifier));
                    return call.response().compose(GrpcClientResponse::last);
                })
                .await();
    }

    private void metrics(String hostname) {
        status(hostname, 2, message(1, RUNNING, 2, METRICS));
    }

    private void instance(String hostname, String id, long status) {
        status(hostname, 1, message(1, status, 3, id));
    }

    private GrpcStatus schedule(long action, String id, String definition) {
        var response = stream(
                controllers,
                "controller.Controller",
                "ScheduleInstance",
                message(1, "web", 2, definition, 3, action, 4, id));
        response.end().transform(done -> Future.succeededFuture()).await();
        return response.status();
    }

    private List<WorkerInfo> workers() {
        return control.call(GrpcMethods.WORKERS, ListRequest.getDefaultInstance())
                .await()
                .getWorkersList();
    }

    @Test
    @DisplayName("AT-W22 RIK's conversation: register, metrics, create, running, destroy, terminated")
    void conversation() {
        var events = new ConcurrentLinkedQueue<Fields>();
        stream(controllers, "controller.Controller", "GetStatusUpdates", Buffer.buffer())
                .handler(event -> events.add(Fields.read(event)));
        var orders = register("old1");
        metrics("old1");
        await().atMost(WITHIN).until(() -> !workers().isEmpty());
        assertThat(workers()).singleElement().satisfies(worker -> {
            assertThat(worker.getWorkerId()).isEqualTo("rik:old1");
            assertThat(worker.getState()).isEqualTo("READY");
            assertThat(worker.getTotal(0).getAmount()).isEqualTo(3_800);
        });

        assertThat(schedule(CREATE, "brave-tesla-1234", DEFINITION)).isEqualTo(GrpcStatus.OK);
        var create = awaits(orders, order -> order.number(3) == CREATE);
        assertThat(create.text(1)).isEqualTo("brave-tesla-1234");
        assertThat(create.text(2)).isEqualTo(DEFINITION);

        instance("old1", "brave-tesla-1234", CREATING);
        instance("old1", "brave-tesla-1234", RUNNING);
        var running = awaits(events, event -> event.message(1).number(1) == RUNNING);
        assertThat(running.text(3)).isEqualTo("rik:old1");
        assertThat(running.message(1).text(3)).isEqualTo("brave-tesla-1234");
        assertThat(events).anyMatch(event -> event.message(1).number(1) == PENDING);

        assertThat(schedule(DESTROY, "brave-tesla-1234", DEFINITION)).isEqualTo(GrpcStatus.OK);
        assertThat(awaits(orders, order -> order.number(3) == DESTROY).text(1)).isEqualTo("brave-tesla-1234");
        instance("old1", "brave-tesla-1234", TERMINATED);
        awaits(events, event -> event.message(1).number(1) == TERMINATED);
    }

    private static Fields awaits(ConcurrentLinkedQueue<Fields> messages, java.util.function.Predicate<Fields> wanted) {
        return await().atMost(WITHIN)
                .until(() -> messages.stream().filter(wanted).findFirst(), Optional::isPresent)
                .orElseThrow();
    }

    @Test
    @DisplayName("AT-W22 a second agent of a hostname is ALREADY_EXISTS; without one, FAILED_PRECONDITION")
    void hostnames() {
        register("old1");
        metrics("old1");
        for (var refused : Map.of("old1", GrpcStatus.ALREADY_EXISTS, "", GrpcStatus.FAILED_PRECONDITION)
                .entrySet()) {
            var response = stream(agents, "worker.Worker", "Register", message(1, refused.getKey()));
            response.end().transform(done -> Future.succeededFuture()).await();
            assertThat(response.status()).isEqualTo(refused.getValue());
        }
        instance("old1", "another", RUNNING);
        status("nobody", 2, message(1, RUNNING, 2, METRICS));
        await().atMost(WITHIN).until(() -> workers().size() == 1);
    }

    @Test
    @DisplayName("AT-W16 an action 7, and a definition that is none, are INVALID_ARGUMENT and not kept")
    void garbage() {
        assertThat(schedule(7, "a", DEFINITION)).isEqualTo(GrpcStatus.INVALID_ARGUMENT);
        assertThat(schedule(CREATE, "a", "{")).isEqualTo(GrpcStatus.INVALID_ARGUMENT);
        assertThat(schedule(CREATE, "a", "{\"kind\":\"Process\"}")).isEqualTo(GrpcStatus.INVALID_ARGUMENT);
        assertThat(schedule(DESTROY, "a", DEFINITION)).isEqualTo(GrpcStatus.NOT_FOUND);
        assertThat(control.call(GrpcMethods.INSTANCES, ListRequest.getDefaultInstance())
                        .await()
                        .getInstancesCount())
                .isZero();
        assertThatThrownBy(() -> call(client, agents, "controller.Controller", "ScheduleInstance")
                        .compose(call -> {
                            call.end(Buffer.buffer());
                            return call.response().compose(GrpcClientResponse::last);
                        })
                        .await())
                .isInstanceOf(Exception.class);
    }
}
