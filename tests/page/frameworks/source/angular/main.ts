// Angular's own packages come half compiled; its CLI compiles them to the end, here the compiler does when they run
import "@angular/compiler";
import { Component, provideZonelessChangeDetection } from "@angular/core";
import { bootstrapApplication } from "@angular/platform-browser";

@Component({
  selector: "app-price",
  template: `<b data-testid="price">{{ cents / 100 }}</b>`,
})
export class Price {
  cents = 1250;
}

@Component({
  selector: "app-cart",
  imports: [Price],
  template: `
    <section data-testid="cart">
      <app-price />
      <button data-testid="pay">Pay</button>
    </section>
  `,
})
export class Cart {}

bootstrapApplication(Cart, { providers: [provideZonelessChangeDetection()] });
