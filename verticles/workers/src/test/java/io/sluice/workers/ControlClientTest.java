package io.sluice.workers;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.workers.control.v1.ListRequest;
import io.sluice.workers.control.v1.WorkerInfo;
import io.sluice.workers.control.v1.WorkerList;
import io.vertx.core.Vertx;
import io.vertx.grpc.server.GrpcServer;
import io.vertx.junit5.VertxExtension;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Uses a real server of gRPC, which replies with much. */
@ExtendWith(VertxExtension.class)
class ControlClientTest {
    private static final int WORKERS = 100_000;

    /** Vert.x closes a client once it is garbage. */
    private ControlClient client;

    @Test
    void aListHasTheMostWorkersThatAConfigAllows(Vertx vertx) {
        var list = WorkerList.newBuilder();
        IntStream.range(0, WORKERS)
                .mapToObj(number -> WorkerInfo.newBuilder().setWorkerId("worker-of-a-site-" + number))
                .forEach(list::addWorkers);
        var grpc = GrpcServer.server(vertx);
        grpc.callHandler(
                GrpcMethods.WORKERS.served(),
                request -> request.handler(nothing -> request.response().end(list.build())));
        var server = vertx.createHttpServer()
                .requestHandler(grpc)
                .listen(0, "127.0.0.1")
                .await();
        client = new ControlClient(vertx, "127.0.0.1", server.actualPort(), WorkersTls.NONE);

        var reply = client.call(GrpcMethods.WORKERS, ListRequest.getDefaultInstance())
                .await();

        assertThat(reply.getWorkersCount()).isEqualTo(WORKERS);
    }
}
