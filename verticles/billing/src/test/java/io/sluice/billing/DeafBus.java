package io.sluice.billing;

import io.vertx.core.Context;
import io.vertx.core.Deployable;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.MessageConsumer;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Deploys a verticle on a bus on which one subscription is never confirmed, as may happen in a Hazelcast cluster.
 *
 * @param verticle the verticle to deploy
 * @param address the address of the subscription that is never confirmed
 */
record DeafBus(VerticleBase verticle, String address) implements Deployable {
    @Override
    public Future<?> deploy(Context context) throws Exception {
        verticle.init(deaf(context.owner()), context);
        return verticle.start();
    }

    @Override
    public Future<?> undeploy(Context context) throws Exception {
        return verticle.stop();
    }

    private Vertx deaf(Vertx vertx) {
        var bus = proxy(EventBus.class, vertx.eventBus(), Map.of("consumer", this::unconfirmed));
        return proxy(Vertx.class, vertx, Map.of("eventBus", real -> bus));
    }

    private Object unconfirmed(Object made) {
        var consumer = (MessageConsumer<?>) made;
        return address.equals(consumer.address())
                ? proxy(
                        MessageConsumer.class,
                        consumer,
                        Map.of("completion", real -> Future.failedFuture("unconfirmed: " + address)))
                : consumer;
    }

    /** Returns a proxy that delegates all methods except those with a given result. */
    private static <T> T proxy(Class<T> type, T real, Map<String, UnaryOperator<Object>> answers) {
        InvocationHandler handler = (self, method, arguments) -> {
            try {
                var answer = method.invoke(real, arguments);
                return answers.getOrDefault(method.getName(), UnaryOperator.identity())
                        .apply(answer);
            } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
            }
        };
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
