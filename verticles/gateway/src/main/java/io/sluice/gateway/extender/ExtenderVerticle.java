package io.sluice.gateway.extender;

import io.micrometer.core.instrument.Counter;
import io.sluice.bus.Bus;
import io.sluice.bus.PlacementAddresses;
import io.sluice.gateway.GatewayConfig;
import io.sluice.gateway.core.extender.ExtenderReplies;
import io.sluice.gateway.core.extender.ExtenderRequests;
import io.sluice.gateway.core.extender.RecentRanks;
import io.sluice.gateway.listener.ListenerConfig;
import io.sluice.gateway.listener.ListenerSpec;
import io.sluice.gateway.listener.ListenerVerticle;
import io.sluice.gateway.listener.Replies;
import io.sluice.messages.placement.NodeRanks;
import io.sluice.shell.Shell;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import io.vertx.ext.web.handler.HttpException;
import io.vertx.ext.web.handler.PlatformHandler;
import java.util.function.Function;

/**
 * Serves kube-scheduler as its extender: {@code filter}, {@code prioritize}, {@code preempt} and {@code bind}. It has
 * no rules of its own; placement decides.
 */
public final class ExtenderVerticle extends ListenerVerticle {
    /** A pod, which the API server limits to 1.5 MB, and the names of 10 000 nodes. */
    private static final int BODY_BYTES_MAX = 4 << 20;

    private final String ownScheduler;
    private final RecentRanks recent = new RecentRanks();
    private Bus bus;

    /**
     * Creates a verticle whose listener opens at its start.
     *
     * @param ownScheduler the scheduler whose pods Sluice places itself; empty if there is none
     */
    public ExtenderVerticle(ListenerConfig config, Shell shell, String ownScheduler) {
        super(config, shell);
        this.ownScheduler = ownScheduler;
    }

    @Override
    protected ListenerSpec spec() {
        bus = new Bus(vertx);
        return ListenerSpec.of(GatewayConfig.EXTENDER, this::addTo).expecting(ListenerSpec.Kind.PRIVATE);
    }

    private void addTo(Router router) {
        serve(router, "/filter", "Filter", this::filter, ExtenderVerticle::lost);
        serve(router, "/prioritize", "Score", this::prioritize, Future::failedFuture);
        serve(router, "/preempt", "PostFilter", this::preempt, Future::failedFuture);
        serve(router, "/bind", "Reserve", this::bind, ExtenderVerticle::lost);
    }

    /** Each call is counted under the method of the reference's plugin that does the same. */
    private void serve(
            Router router,
            String path,
            String method,
            Function<byte[], Future<String>> reply,
            Function<Throwable, Future<String>> lost) {
        var calls = counter("calls", "Calls of kube-scheduler", method);
        var fails = counter("call_fails", "Calls that placement did not answer", method);
        router.post(path)
                .handler((PlatformHandler) Replies::awaitBody)
                .handler(BodyHandler.create(false).setBodyLimit(BODY_BYTES_MAX))
                .handler(context -> {
                    Replies.bodyArrived(context);
                    calls.increment();
                    reply(
                            context,
                            body -> reply.apply(body)
                                    .onFailure(unanswered -> fails.increment())
                                    .recover(lost));
                });
    }

    private Counter counter(String name, String description, String method) {
        return Counter.builder("autoscaling_plugin_extension_" + name + "_total")
                .description(description)
                .tag("method", method)
                .register(shell.meters());
    }

    private static void reply(RoutingContext context, Function<byte[], Future<String>> reply) {
        var body = context.body().buffer();
        try {
            reply.apply(body == null ? new byte[0] : body.getBytes())
                    .onSuccess(json -> Replies.json(context, 200, Buffer.buffer(json)))
                    .onFailure(context::fail);
        } catch (IllegalArgumentException refused) {
            throw new HttpException(400, refused.getMessage());
        }
    }

    /** Two schedulers of one name would place the same pods. */
    private Future<String> filter(byte[] body) {
        var call = RankCall.read(body);
        if (!ownScheduler.isEmpty() && call.scheduler().equals(ownScheduler)) {
            return error("Sluice places the pods of scheduler " + ownScheduler
                    + " itself, as placement.schedulerName names it: no kube-scheduler may serve that name");
        }
        var request = call.request();
        return bus.request(PlacementAddresses.RANK, request)
                .onSuccess(ranks -> {
                    if (ranks instanceof NodeRanks.Ranked(var nodes)) {
                        recent.given(request.uid(), nodes, shell.clock().instant());
                    }
                })
                .map(ExtenderReplies::filtered);
    }

    /** A failure has no form of its own here: kube-scheduler counts an error status as no score. */
    private Future<String> prioritize(byte[] body) {
        var request = RankCall.read(body).request();
        var nodes = request.nodes();
        return recent.take(request.uid(), nodes, shell.clock().instant())
                .<Future<NodeRanks>>map(ranks -> Future.succeededFuture(new NodeRanks.Ranked(ranks)))
                .orElseGet(() -> bus.request(PlacementAddresses.RANK, request))
                .map(ranks -> ExtenderReplies.scored(nodes, ranks));
    }

    /** kube-scheduler evicts nothing after an error status. */
    private Future<String> preempt(byte[] body) {
        var request = ExtenderRequests.preempt(body);
        return bus.request(PlacementAddresses.PREEMPT, request.pods())
                .map(ranks -> ExtenderReplies.preempted(request, ranks).toString());
    }

    private Future<String> bind(byte[] body) {
        return bus.request(PlacementAddresses.PLACE, ExtenderRequests.place(body))
                .map(reply -> ExtenderReplies.bound(reply).toString());
    }

    private static Future<String> lost(Throwable lost) {
        return error("placement did not reply: " + lost.getMessage());
    }

    private static Future<String> error(String sentence) {
        return Future.succeededFuture(ExtenderReplies.error(sentence).toString());
    }
}
