import './ui/app.css';
// Here and not where they are used: a style sheet that comes later has the whole page styled anew.
import './features/landing/landing.css';
import './features/ticker/ticker.css';
import { createApp, render } from './app/living.tsx';

const place = document.getElementById('root');
if (!place) throw new Error('The page has no #root');
render(place, createApp(window));
