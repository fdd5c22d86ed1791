package io.sluice.neonvm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.sluice.neonvm.core.NeonVmKeys;
import io.vertx.core.Context;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/** Watches objects, and brings each change to one context. A watch that breaks is begun again for ever. */
final class Informers {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final Context context;
    private final WatchMeters meters;
    private final Map<Watched, SharedIndexInformer<GenericKubernetesResource>> informers = new EnumMap<>(Watched.class);
    private final Set<Watched> started = EnumSet.noneOf(Watched.class);

    /** @param handlers what is to be done with changes of each kind; the flag says that the object is gone */
    Informers(
            KubernetesClient client,
            Context context,
            WatchMeters meters,
            Map<Watched, BiConsumer<JsonNode, Boolean>> handlers) {
        this.context = context;
        this.meters = meters;
        handlers.forEach((watched, handler) -> {
            var informer = watching(client, watched, handler);
            informers.put(watched, informer);
            meters.follow(watched, informer::isRunning, informer::isWatching);
        });
    }

    /**
     * How a watch fares.
     *
     * @param started whether it was ever begun
     * @param watching whether changes are heard at present
     * @param version of the last change that was heard of
     */
    record State(boolean started, boolean watching, String version) {}

    /** Begins what was not begun yet. Never blocks: what is there already arrives as changes. */
    void start(Watched watched) {
        if (started.add(watched)) {
            informers.get(watched).start();
        }
    }

    void stop() {
        informers.values().forEach(SharedIndexInformer::stop);
    }

    State state(Watched watched) {
        var informer = informers.get(watched);
        var version = informer.lastSyncResourceVersion();
        return new State(started.contains(watched), informer.isWatching(), version == null ? "" : version);
    }

    private static SharedIndexInformer<GenericKubernetesResource> informer(KubernetesClient client, Watched watched) {
        return switch (watched) {
            case NODES ->
                client.genericKubernetesResources(
                                core("nodes", "Node").withNamespaced(false).build())
                        .runnableInformer(0);
            case PODS -> everywhere(client, core("pods", "Pod"));
            case VMS -> everywhere(client, neonVm(NeonVmKeys.VMS, NeonVmKeys.VM_KIND));
            case MIGRATIONS -> everywhere(client, neonVm(NeonVmKeys.MIGRATIONS, NeonVmKeys.MIGRATION_KIND));
        };
    }

    private static SharedIndexInformer<GenericKubernetesResource> everywhere(
            KubernetesClient client, ResourceDefinitionContext.Builder resource) {
        return client.genericKubernetesResources(resource.withNamespaced(true).build())
                .inAnyNamespace()
                .runnableInformer(0);
    }

    private static ResourceDefinitionContext.Builder core(String plural, String kind) {
        return new ResourceDefinitionContext.Builder()
                .withVersion("v1")
                .withPlural(plural)
                .withKind(kind);
    }

    private static ResourceDefinitionContext.Builder neonVm(String plural, String kind) {
        return new ResourceDefinitionContext.Builder()
                .withGroup(NeonVmKeys.GROUP)
                .withVersion(NeonVmKeys.VERSION)
                .withPlural(plural)
                .withKind(kind);
    }

    private SharedIndexInformer<GenericKubernetesResource> watching(
            KubernetesClient client, Watched watched, BiConsumer<JsonNode, Boolean> handler) {
        return informer(client, watched)
                .exceptionHandler((begun, failure) -> true)
                .addEventHandler(new ResourceEventHandler<>() {
                    @Override
                    public void onAdd(GenericKubernetesResource object) {
                        tell("ADDED", object, false);
                    }

                    @Override
                    public void onUpdate(GenericKubernetesResource before, GenericKubernetesResource object) {
                        tell("MODIFIED", object, false);
                    }

                    @Override
                    public void onDelete(GenericKubernetesResource object, boolean finalStateUnknown) {
                        tell("DELETED", object, true);
                    }

                    private void tell(String type, GenericKubernetesResource object, boolean gone) {
                        meters.event(watched, type);
                        JsonNode json = MAPPER.valueToTree(object);
                        context.runOnContext(ignored -> handler.accept(json, gone));
                    }
                });
    }
}
