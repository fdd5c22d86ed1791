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
 * A verticle on a bus that cannot make one of its subscriptions known, as it is in a cluster where nobody confirms it.
 *
 * @param verticle what is to be deployed
 * @param address of which nobody learns that it is listened to
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
                        Map.of("completion", real -> Future.failedFuture("nobody confirms " + address)))
                : consumer;
    }

    /** The same, but for what some of its methods answer. */
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
